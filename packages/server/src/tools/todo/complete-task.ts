import { z } from 'zod';
import { defineTool } from '#tools/define';
import { todoAnswer, todoFields } from './fields.ts';

export const completeTask = defineTool({
  name: 'complete_task',
  title: 'Complete a task',
  description:
    'Marks a task completed: give completed: true (false reopens it). Without completed it toggles, so that a second call undoes the first.',
  scope: 'todo:write',
  effect: 'update',
  route: 'POST /todo/tasks/{task_id}/complete',
  subject: 'user_id',
  lane: 'user_id',
  input: z.object({
    user_id: todoFields.user_id,
    task_id: todoFields.task_id,
    completed: z.boolean().optional().describe('true completes, false reopens; left out, the call toggles.'),
  }),
  output: z.object({
    task_id: todoAnswer.task_id,
    title: todoAnswer.title,
    status: z.enum(['completed', 'pending']).describe('What it is now: completed or pending.'),
    completed: todoAnswer.completed,
  }),
  entity: ({ task_id }) => ({ kind: 'work_item', id: task_id }),
  run: async ({ input, work, services }) => {
    const { id, title, completed_at } = await services.todos.complete(work, input.task_id, input.completed);
    const completed = completed_at !== null;
    return { task_id: id, title, status: completed ? ('completed' as const) : ('pending' as const), completed };
  },
});
