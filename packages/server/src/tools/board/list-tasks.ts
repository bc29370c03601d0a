import { z } from 'zod';
import { defineTool } from '#tools/define';
import { pageOutput } from '#tools/paging';
import { boardFields, shortPageInput } from './fields.ts';
import { rowOf, taskRow } from './present.ts';

export const listTasks = defineTool({
  name: 'list_tasks',
  title: 'List tasks',
  description:
    'Lists the tasks on the board of a project, newest first, each with its latest attempt. With ready: those that can begin now, in the order of next_task.',
  scope: 'board:read',
  effect: 'read',
  view: 'board',
  describes_fields: true,
  project: 'project_id',
  route: 'GET /board/projects/{project_id}/tasks',
  always_load: true,
  input: z.object({
    project_id: boardFields.project_id,
    status: boardFields.status
      .optional()
      .describe('Only this column: todo, inprogress, inreview, done, cancelled, or one of the project.'),
    ready: z.boolean().optional().describe('true: only tasks that can begin now.'),
    ...shortPageInput,
  }),
  output: z.object({
    tasks: z.array(z.object(taskRow)).describe('The tasks.'),
    ...pageOutput,
  }),
  run: async ({ input, work, services }) => {
    const { rows, ...more } = await services.board.lists.tasks(work, input);
    return { tasks: rows.map(rowOf), ...more };
  },
});
