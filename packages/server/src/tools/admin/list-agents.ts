import { z } from 'zod';
import { defineTool } from '#tools/define';
import { pageInput, pageOutput } from '#tools/paging';
import { rfc3339, rfc3339OrNull } from '#tools/time';
import { agentRow } from './fields.ts';

export const listAgents = defineTool({
  name: 'list_agents',
  title: 'List agents',
  description: 'Lists the agents of the workspace, and whether each can act now.',
  scope: 'admin',
  effect: 'read',
  route: 'GET /agents',
  cli: { command: 'agent list' },
  input: z.object(pageInput),
  output: z.object({
    agents: z.array(z.object(agentRow)).describe('The agents, in the order in which they were made.'),
    ...pageOutput,
  }),
  run: async ({ input, work, services }) => {
    const { rows, ...more } = await services.agents.list(work, input);
    const agents = rows.map(({ id, created_at, expires_at, ...agent }) => ({
      ...agent,
      agent_id: id,
      expires_at: rfc3339OrNull(expires_at),
      created_at: rfc3339(created_at),
    }));
    return { agents, ...more };
  },
});
