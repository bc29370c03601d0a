import { z } from 'zod';
import { defineTool } from '#tools/define';
import { pageInput, pageOutput } from '#tools/paging';
import { todoAnswer, todoFields } from './fields.ts';

export const listTasks = defineTool({
  name: 'list_tasks',
  title: 'List tasks',
  description:
    'Lists the todo list of a user, oldest first: all tasks, or only the pending or completed ones. Long descriptions are shortened.',
  scope: 'todo:read',
  effect: 'read',
  route: 'GET /todo/tasks',
  subject: 'user_id',
  steady: true,
  input: z.object({
    user_id: todoFields.user_id,
    status: z.enum(['all', 'pending', 'completed']).default('all').describe('Which tasks: all, pending or completed.'),
    ...pageInput,
    limit: pageInput.limit.describe('At most so many tasks, 1 to 200.'),
    task_id: todoFields.task_id.optional().describe('Only this task, with its whole description.'),
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
      .describe('The tasks, oldest first.'),
    total: z.int().optional().describe('How many there are, when some are left; 10000 at most.'),
    ...pageOutput,
  }),
  run: async ({ input, work, services }) => {
    const { rows, ...more } = await services.todos.list(work, input);
    return { tasks: [...rows], ...more };
  },
});
