import { z } from 'zod';
import { defineTool } from '#tools/define';
import { boardFields } from './fields.ts';
import { taskRow } from './present.ts';

export const deleteTask = defineTool({
  name: 'delete_task',
  title: 'Delete a task',
  description:
    'Deletes a task of the board for good, with its attempts. Refused while a run of it goes on: call stop_attempt first.',
  scope: 'board:delete',
  effect: 'delete',
  route: 'DELETE /board/tasks/{task_id}',
  lane: 'task_id',
  input: z.object({ task_id: boardFields.task_id }),
  output: z.object({
    task_id: taskRow.task_id,
    title: taskRow.title,
    deleted: z.literal(true).describe('Always true.'),
  }),
  entity: ({ task_id }) => ({ kind: 'work_item', id: task_id }),
  run: async ({ input, work, services }) => {
    const { id, title } = await services.board.tasks.delete(work, input.task_id);
    return { task_id: id, title, deleted: true as const };
  },
});
