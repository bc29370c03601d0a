import { z } from 'zod';
import { todoDescription } from '#domain/work-item';
import { defineTool } from '#tools/define';
import { todoAnswer, todoFields } from './fields.ts';

export const updateTask = defineTool({
  name: 'update_task',
  title: 'Update a task',
  description:
    'Changes the title or the description of a todo. Fields that are left out stay. Another tool completes it.',
  scope: 'todo:write',
  effect: 'update',
  idempotent: true,
  route: 'PATCH /todo/tasks/{task_id}',
  subject: 'user_id',
  lane: 'user_id',
  input: z.object({
    user_id: todoFields.user_id,
    task_id: todoFields.task_id,
    title: todoFields.title.optional(),
    description: todoFields.description.optional(),
  }),
  output: z.object({
    task_id: todoAnswer.task_id,
    status: z.literal('updated').describe('Always "updated".'),
    title: todoAnswer.title,
    description: todoAnswer.description,
    completed: todoAnswer.completed,
  }),
  entity: ({ task_id }) => ({ kind: 'work_item', id: task_id }),
  run: async ({ input, work, services }) => {
    const item = await services.todos.update(work, input.task_id, input);
    return {
      task_id: item.id,
      status: 'updated' as const,
      title: item.title,
      description: todoDescription(item.description),
      completed: item.completed_at !== null,
    };
  },
});
