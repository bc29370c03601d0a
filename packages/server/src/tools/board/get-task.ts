import { z } from 'zod';
import { defineTool } from '#tools/define';
import { rfc3339, time } from '#tools/time';
import { author, boardFields } from './fields.ts';
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
      .array(z.enum(['description', 'blocked_by', 'blocks', 'ticks']))
      .max(4)
      .default([])
      .describe('Parts to answer whole: description, blocked_by, blocks; ticks says who ticked criteria.'),
  }),
  output: z.object({
    ...taskDetails,
    ticks: z
      .array(
        z.object({
          item: z.string().describe('The criterion, by the id of its checklist item.'),
          by: author.describe('Who ticked it; null for nobody known.'),
          at: time.describe('When (RFC 3339).'),
        }),
      )
      .optional()
      .describe('Ticked criteria; only with include.'),
  }),
  run: async ({ input: { task_id, include }, work, services }) => {
    const whole = wholeTaskOf(
      await services.board.wholeTask(work, task_id),
      new Set(include.filter((part) => part !== 'ticks')),
    );
    if (!include.includes('ticks')) return whole;
    const found = await services.board.ticks(work, task_id);
    return { ...whole, ticks: found.map(({ item_id, by, at }) => ({ item: item_id, by, at: rfc3339(at) })) };
  },
});
