import { z } from 'zod';
import { OfferedExecutor } from '#domain/worker';
import { defineTool } from '#tools/define';

export const listExecutors = defineTool({
  name: 'list_executors',
  title: 'List executors',
  description:
    'Lists the coding agents that attempts can be started with, and what keeps those from running that cannot.',
  scope: 'board:read',
  effect: 'read',
  route: 'GET /board/executors',
  input: z.object({}),
  output: z.object({
    executors: z.array(OfferedExecutor).describe('The agents that are offered here, ready or not.'),
    note: z.string().optional().describe('Why there are none, and what to do about it; left out when there are some.'),
  }),
  run: async ({ work, services }) => {
    const { executors, note } = await services.board.executors.list(work);
    return { executors: [...executors], ...(note !== null && { note }) };
  },
});
