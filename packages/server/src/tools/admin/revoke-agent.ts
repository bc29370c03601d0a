import { z } from 'zod';
import { defineTool } from '#tools/define';
import { adminFields } from './fields.ts';

export const revokeAgent = defineTool({
  name: 'revoke_agent',
  title: 'Revoke the tokens of an agent',
  description: 'Ends every token of an agent at once. Its grants stay, and a new token can use them.',
  scope: 'admin',
  effect: 'delete',
  idempotent: true,
  route: 'DELETE /agents/{agent_id}/tokens',
  cli: { command: 'agent revoke', positionals: ['agent_id'] },
  input: z.object({ agent_id: adminFields.agent_id }),
  output: z.object({
    agent_id: z.string().describe('The id of the agent (UUID).'),
    status: z.literal('revoked').describe('Always "revoked".'),
    ended_tokens: z.int().describe('How many of its tokens worked until now.'),
  }),
  entity: ({ agent_id }) => ({ kind: 'agent', id: agent_id }),
  run: async ({ input: { agent_id }, work, services }) => ({
    agent_id,
    status: 'revoked' as const,
    ended_tokens: await services.agentAccess.revoke(work, agent_id),
  }),
});
