import { z } from 'zod';
import { defineTool } from '#tools/define';
import { boardFields } from './fields.ts';
import { rowOf, taskRow } from './present.ts';
import { similarOf, similarRows } from './present-similar.ts';

export const createTask = defineTool({
  name: 'create_task',
  title: 'Create a task',
  description:
    'Adds a task to the board of a project, in the first column unless status names another. Not for todo lists.',
  scope: 'board:write',
  effect: 'create',
  project: 'project_id',
  lane: 'project_id',
  route: 'POST /board/projects/{project_id}/tasks',
  input: z.object({
    project_id: boardFields.project_id,
    title: boardFields.title,
    description: boardFields.description.optional(),
    status: boardFields.status.optional(),
    priority: boardFields.priority.optional().describe('none (unless given), low, medium, high or urgent.'),
    blocked_by: boardFields.blocked_by.optional(),
  }),
  output: z.object({ ...taskRow, similar: similarRows }),
  entity: (_input, { task_id }) => ({ kind: 'work_item', id: task_id }),
  prepare: ({ input: { project_id, title }, work, services }) =>
    services.board.similar.find(work, { project_id, scope: 'board:read' }, [title]),
  run: async ({ input, work, services, prepared: [similar] }) => ({
    ...rowOf(await services.board.tasks.create(work, input)),
    ...similarOf(similar),
  }),
});
