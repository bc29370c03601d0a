import { z } from 'zod';
import { defineTool } from '#tools/define';
import { todoAnswer, todoFields } from './fields.ts';

export const deleteTask = defineTool({
  name: 'delete_task',
  title: 'Delete a task',
  description: 'Deletes a task of the todo list for good.',
  scope: 'todo:write',
  effect: 'delete',
  route: 'DELETE /todo/tasks/{task_id}',
  subject: 'user_id',
  lane: 'user_id',
  input: z.object({ user_id: todoFields.user_id, task_id: todoFields.task_id }),
  output: z.object({
    task_id: todoAnswer.task_id,
    title: todoAnswer.title,
    status: z.literal('deleted').describe('Always "deleted".'),
  }),
  entity: ({ task_id }) => ({ kind: 'work_item', id: task_id }),
  run: async ({ input, work, services }) => {
    const { id, title } = await services.todos.delete(work, input.task_id);
    return { task_id: id, title, status: 'deleted' as const };
  },
});
