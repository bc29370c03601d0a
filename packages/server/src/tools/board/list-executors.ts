import { z } from 'zod';
import { LOOK_AGAIN_MS, OfferedExecutor } from '#domain/worker';
import { defineTool } from '#tools/define';

/** A sentence for the hints of refusals. */
export const CHECKED_AGAIN = `Agents are checked every ${LOOK_AGAIN_MS / 1000} seconds: after a change, wait that long.`;

export const listExecutors = defineTool({
  name: 'list_executors',
  title: 'List executors',
  description: 'Lists the coding agents for start_task_attempt, and what keeps others from running.',
  scope: 'board:read',
  effect: 'read',
  route: 'GET /board/executors',
  input: z.object({}),
  output: z.object({
    executors: z.array(OfferedExecutor).describe('The agents, ready or not.'),
    note: z.string().optional().describe('Why there are none; left out when there are some.'),
  }),
  run: async ({ work, services }) => {
    const { executors, note } = await services.board.executors.list(work);
    return { executors: [...executors], ...(note !== null && { note }) };
  },
});
