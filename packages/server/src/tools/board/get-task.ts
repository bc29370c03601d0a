import { z } from 'zod';
import { defineTool } from '#tools/define';
import { boardFields } from './fields.ts';
import { taskDetails, wholeTaskOf } from './present-task.ts';

export const getTask = defineTool({
  name: 'get_task',
  title: 'Get a task',
  description:
    'Answers one task with its description, what it waits for, what waits for it, who has claimed it and how its latest attempt failed, if it did. Long parts are shortened and named in truncated: ask for them whole with include.',
  scope: 'board:read',
  effect: 'read',
  route: 'GET /board/tasks/{task_id}',
  input: z.object({
    task_id: boardFields.task_id,
    include: z
      .array(z.enum(['description', 'blocked_by', 'blocks']))
      .max(3)
      .default([])
      .describe('Parts to answer whole: "description", "blocked_by", "blocks".'),
  }),
  output: z.object(taskDetails),
  run: async ({ input: { task_id, include }, work, services }) =>
    wholeTaskOf(await services.board.wholeTask(work, task_id), new Set(include)),
});
