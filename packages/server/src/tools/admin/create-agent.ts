import { z } from 'zod';
import { defineTool } from '#tools/define';
import { adminFields, issuedToken, rfc3339 } from './fields.ts';

export const createAgent = defineTool({
  name: 'create_agent',
  title: 'Create an agent',
  description:
    'Creates an agent that works for a user in some projects, with its first token. The token is shown once.',
  scope: 'admin',
  effect: 'create',
  secret: true,
  route: 'POST /agents',
  cli: {
    command: 'agent create',
    positionals: ['name'],
    flags: { owner_id: 'owner', project_ids: 'project', expires_in: 'expires' },
  },
  input: z.object({
    name: adminFields.name,
    owner_id: adminFields.user_id.describe('The user it works for, by id (UUID).'),
    project_ids: z.array(adminFields.project_id).min(1).describe('The projects it may work in, by id (UUID).'),
    scopes: adminFields.scopes,
    can_complete: z
      .boolean()
      .default(false)
      .describe('Whether it may move work to a completed state; no unless given.'),
    can_cancel: z.boolean().default(false).describe('Whether it may move work to a cancelled state; no unless given.'),
    expires_in: adminFields.expires_in.optional().describe('How long its token works, such as 30d; 90d unless given.'),
  }),
  output: z.object({ agent_id: z.string().describe('The id of the agent (UUID).'), ...issuedToken }),
  entity: (_input, { agent_id }) => ({ kind: 'agent', id: agent_id }),
  run: async ({ input, work, services }) => {
    const { agent, token, secret } = await services.agents.create(work, input);
    const expires_at = token.expires_at === null ? null : rfc3339(token.expires_at);
    return { agent_id: agent.id, token_id: token.id, token: secret, expires_at };
  },
});
