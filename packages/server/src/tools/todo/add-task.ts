import { z } from 'zod';
import { defineTool } from '#tools/define';
import { todoAnswer, todoFields } from './fields.ts';

export const addTask = defineTool({
  name: 'add_task',
  title: 'Add a task',
  description: 'Adds a task to the todo list of a user. Answers its id for later calls.',
  scope: 'todo:write',
  effect: 'create',
  route: 'POST /todo/tasks',
  subject: 'user_id',
  lane: 'user_id',
  input: z.object({
    user_id: todoFields.user_id,
    title: todoFields.title,
    description: todoFields.description.optional(),
  }),
  output: z.object({
    task_id: todoAnswer.task_id,
    status: z.literal('created').describe('Always "created".'),
    title: todoAnswer.title,
  }),
  entity: (_input, { task_id }) => ({ kind: 'work_item', id: task_id }),
  run: async ({ input, work, services }) => {
    const { id, title } = await services.todos.add(work, input);
    return { task_id: id, status: 'created' as const, title };
  },
});
