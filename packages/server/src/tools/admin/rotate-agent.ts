import { z } from 'zod';
import { DurationOrNone } from '#domain/duration';
import { defineTool } from '#tools/define';
import { rfc3339, rfc3339OrNull, time } from '#tools/time';
import { adminFields, issuedToken } from './fields.ts';

export const rotateAgent = defineTool({
  name: 'rotate_agent',
  title: 'Rotate the token of an agent',
  description:
    'Makes another token for an agent, shown once. Its earlier tokens still work for an hour, or for the time of overlap.',
  scope: 'admin',
  effect: 'create',
  secret: true,
  route: 'POST /agents/{agent_id}/tokens',
  cli: { command: 'agent rotate', positionals: ['agent_id'], flags: { expires_in: 'expires' } },
  input: z.object({
    agent_id: adminFields.agent_id,
    overlap: DurationOrNone.default('1h').describe(
      'How long its earlier tokens still work, such as 15m, or 0s to end them at once. Default: 1h.',
    ),
    expires_in: adminFields.expires_in.optional().describe('How long the new token works, such as 30d. Default: 90d.'),
    scopes: adminFields.scopes
      .optional()
      .describe(
        'The scopes of the new token: the most that it can do, whatever is granted. Default: the scopes of the earlier token.',
      ),
  }),
  output: z.object({
    agent_id: z.string().describe('The id of the agent (UUID).'),
    ...issuedToken,
    earlier_tokens: z
      .array(
        z.object({
          token_id: z.string().describe('The id of an earlier token (UUID).'),
          expires_at: time.describe('When it ends now (RFC 3339).'),
        }),
      )
      .describe('The earlier tokens that were live until now.'),
  }),
  event: 'updated',
  entity: ({ agent_id }) => ({ kind: 'agent', id: agent_id }),
  run: async ({ input: { agent_id, ...rotation }, work, services }) => {
    const { token, secret, earlier } = await services.agentAccess.rotate(work, agent_id, rotation);
    return {
      agent_id,
      token_id: token.id,
      token: secret,
      expires_at: rfc3339OrNull(token.expires_at),
      earlier_tokens: earlier.map(({ id, expires_at }) => ({ token_id: id, expires_at: rfc3339(expires_at) })),
    };
  },
});
