import { z } from 'zod';
import { defineTool } from '#tools/define';
import { pageInput, pageOutput } from '#tools/paging';
import { todoAnswer, todoFields } from './fields.ts';

export const listTasks = defineTool({
  name: 'list_tasks',
  title: 'List tasks',
  description:
    'Lists the tasks on the todo list of a user, oldest first, all of them or only the pending or completed ones. A long list comes in pages: pass next_cursor as cursor for the next one.',
  scope: 'todo:read',
  effect: 'read',
  route: 'GET /todo/tasks',
  subject: 'user_id',
  input: z.object({
    user_id: todoFields.user_id,
    status: z
      .enum(['all', 'pending', 'completed'])
      .default('all')
      .describe('Which tasks: "all" (the default), "pending" or "completed".'),
    ...pageInput,
    limit: pageInput.limit.describe('At most so many tasks, 1 to 200. Without it, as many as fit into a short answer.'),
  }),
  output: z.object({
    tasks: z
      .array(
        z.object({
          id: todoAnswer.task_id,
          title: todoAnswer.title,
          description: todoAnswer.description,
          completed: todoAnswer.completed,
        }),
      )
      .describe('The tasks, oldest first; empty when there are none.'),
    ...pageOutput,
  }),
  run: async ({ input, work, services }) => {
    const { rows, ...more } = await services.todos.list(work, input);
    return { tasks: [...rows], ...more };
  },
});
