import { z } from 'zod';
import { defineTool } from '#tools/define';
import { boardFields } from './fields.ts';
import { taskDetails, wholeTaskOf } from './present-task.ts';

export const getTask = defineTool({
  name: 'get_task',
  title: 'Get a task',
  description:
    'Answers one task of the board: description, dependencies, claim, and how its latest attempt failed. Shortened parts are named in truncated: ask for them whole with include.',
  scope: 'board:read',
  effect: 'read',
  view: 'task',
  route: 'GET /board/tasks/{task_id}',
  input: z.object({
    task_id: boardFields.task_id,
    include: z
      .array(z.enum(['description', 'blocked_by', 'blocks']))
      .max(3)
      .default([])
      .describe('Parts to answer whole: description, blocked_by, blocks.'),
  }),
  output: z.object(taskDetails),
  run: async ({ input: { task_id, include }, work, services }) =>
    wholeTaskOf(await services.board.wholeTask(work, task_id), new Set(include)),
});
