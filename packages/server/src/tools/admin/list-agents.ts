import { z } from 'zod';
import { defineTool } from '#tools/define';
import { pageInput, pageOutput } from '#tools/paging';
import { rfc3339, time } from './fields.ts';

export const listAgents = defineTool({
  name: 'list_agents',
  title: 'List agents',
  description: 'Lists the agents of the workspace.',
  scope: 'admin',
  effect: 'read',
  route: 'GET /agents',
  cli: { command: 'agent list' },
  input: z.object(pageInput),
  output: z.object({
    agents: z
      .array(
        z.object({
          agent_id: z.string().describe('The id of the agent (UUID).'),
          name: z.string().describe('The name of the agent.'),
          owner_id: z.string().describe('The user it works for (UUID).'),
          created_at: time.describe('When it was made (RFC 3339).'),
        }),
      )
      .describe('The agents, in the order in which they were made.'),
    ...pageOutput,
  }),
  run: async ({ input, work, services }) => {
    const { rows, ...more } = await services.agents.list(work, input);
    const agents = rows.map(({ id, name, owner_id, created_at }) => ({
      agent_id: id,
      name,
      owner_id,
      created_at: rfc3339(created_at),
    }));
    return { agents, ...more };
  },
});
