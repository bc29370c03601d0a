import { z } from 'zod';
import { taskKey } from '#domain/key';
import { Scope } from '#domain/scope';
import { defineTool } from '#tools/define';
import { rfc3339, rfc3339OrNull, time } from '#tools/time';
import { adminFields, agentRow } from './fields.ts';

export const showAgent = defineTool({
  name: 'show_agent',
  title: 'Show an agent',
  description: 'Shows an agent with its grants and its tokens, without their secrets.',
  scope: 'admin',
  effect: 'read',
  route: 'GET /agents/{agent_id}',
  cli: { command: 'agent show', positionals: ['agent_id'] },
  input: z.object({ agent_id: adminFields.agent_id }),
  output: z.object({
    ...agentRow,
    claim: z
      .object({
        task_id: z.string().describe('The task (UUID).'),
        task_key: z.string().nullable().describe('Its short name; null for none.'),
        title: z.string().describe('Its title.'),
        claimed_at: time.describe('Since when (RFC 3339).'),
        expires_at: time.describe('Until when (RFC 3339).'),
      })
      .nullable()
      .describe('The task that it claimed last, and still holds; null for none.'),
    grants: z
      .array(
        z.object({
          project_id: z.string().describe('The project (UUID).'),
          project_name: z.string().nullable().describe('The name of the project; null if it no longer exists.'),
          scopes: z.array(Scope).describe('What the agent may do there, if its token has the scope too.'),
          can_complete: z.boolean().describe('Whether it may move work to a completed state.'),
          can_cancel: z.boolean().describe('Whether it may move work to a cancelled state.'),
        }),
      )
      .describe('What it was granted, by project.'),
    tokens: z
      .array(
        z.object({
          token_id: z.string().describe('The id of the token (UUID).'),
          status: z.enum(['live', 'expired', 'revoked']).describe('"live", "expired" or "revoked".'),
          scopes: z.array(Scope).describe('The most it can do, whatever is granted.'),
          created_at: time.describe('When it was made (RFC 3339).'),
          expires_at: time.nullable().describe('When it ends (RFC 3339); null for never.'),
          revoked_at: time.nullable().describe('When it was revoked (RFC 3339); null while it is not.'),
        }),
      )
      .describe('Its tokens, in the order in which they were made.'),
  }),
  run: async ({ input, work, services }) => {
    const { id, created_at, expires_at, claim, grants, tokens, ...agent } = await services.agents.show(
      work,
      input.agent_id,
    );
    return {
      ...agent,
      agent_id: id,
      expires_at: rfc3339OrNull(expires_at),
      created_at: rfc3339(created_at),
      claim: claim && {
        task_id: claim.work_item_id,
        task_key: taskKey(claim.project_key, claim.task_number),
        title: claim.title,
        claimed_at: rfc3339(claim.claimed_at),
        expires_at: rfc3339(claim.lease_until),
      },
      grants: grants.map((grant) => ({ ...grant, scopes: [...grant.scopes] })),
      tokens: tokens.map((token) => ({
        token_id: token.id,
        status: token.status,
        scopes: [...token.scopes],
        created_at: rfc3339(token.created_at),
        expires_at: rfc3339OrNull(token.expires_at),
        revoked_at: rfc3339OrNull(token.revoked_at),
      })),
    };
  },
});
