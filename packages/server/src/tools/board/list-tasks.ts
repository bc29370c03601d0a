import { z } from 'zod';
import { defineTool } from '#tools/define';
import { pageOutput } from '#tools/paging';
import { boardFields, shortPageInput } from './fields.ts';
import { rowOf, taskRow } from './present.ts';

export const listTasks = defineTool({
  name: 'list_tasks',
  title: 'List tasks',
  description:
    'Lists the tasks of a project, newest first, each with a summary of its attempts. With ready only those that could be begun now, in the order in which next_task hands them out. A long list comes in pages: pass next_cursor as cursor.',
  scope: 'board:read',
  effect: 'read',
  project: 'project_id',
  route: 'GET /board/projects/{project_id}/tasks',
  always_load: true,
  input: z.object({
    project_id: boardFields.project_id,
    status: boardFields.status
      .optional()
      .describe(
        'Only tasks in this column: todo, inprogress, inreview, done or cancelled, unless the project has its own.',
      ),
    ready: z.boolean().optional().describe('true for only those tasks that could be begun now; all unless given.'),
    ...shortPageInput,
  }),
  output: z.object({
    tasks: z.array(z.object(taskRow)).describe('The tasks; empty when there are none.'),
    ...pageOutput,
  }),
  run: async ({ input, work, services }) => {
    const { rows, ...more } = await services.board.lists.tasks(work, input);
    return { tasks: rows.map(rowOf), ...more };
  },
});
