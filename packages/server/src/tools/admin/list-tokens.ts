import { z } from 'zod';
import { Scope } from '#domain/scope';
import { TokenKind } from '#domain/token';
import { defineTool } from '#tools/define';
import { pageInput, pageOutput } from '#tools/paging';
import { rfc3339, rfc3339OrNull, time } from '#tools/time';

export const listTokens = defineTool({
  name: 'list_tokens',
  title: 'List tokens',
  description: 'Lists the tokens of the workspace, without their secrets.',
  scope: 'admin',
  effect: 'read',
  route: 'GET /tokens',
  cli: { command: 'token list' },
  input: z.object(pageInput),
  output: z.object({
    tokens: z
      .array(
        z.object({
          token_id: z.string().describe('The id of the token (UUID).'),
          kind: TokenKind.describe('"user", "service", "agent", or "attempt" for that of a run.'),
          name: z.string().describe('The name it was given.'),
          user_id: z.string().describe('Whom it belongs to (UUID).'),
          agent_id: z.string().nullable().describe('The agent that uses it (UUID); null for others.'),
          scopes: z.array(Scope).describe('What it may do.'),
          acts_for: z
            .array(z.string())
            .describe('Whom it may name: "self" for its own user, ids of users (UUID), or "*" for all.'),
          created_at: time.describe('When it was made (RFC 3339).'),
          expires_at: time.nullable().describe('When it ends (RFC 3339); null for never.'),
          revoked_at: time.nullable().describe('When it was revoked (RFC 3339); null while it is not.'),
        }),
      )
      .describe('The tokens, in the order in which they were made.'),
    ...pageOutput,
  }),
  run: async ({ input, work, services }) => {
    const { rows, ...more } = await services.tokens.list(work, input);
    return {
      tokens: rows.map((token) => ({
        token_id: token.id,
        kind: token.kind,
        name: token.name,
        user_id: token.user_id,
        agent_id: token.agent_id,
        scopes: [...token.scopes],
        acts_for: typeof token.acts_for === 'string' ? [token.acts_for] : [...token.acts_for],
        created_at: rfc3339(token.created_at),
        expires_at: rfc3339OrNull(token.expires_at),
        revoked_at: rfc3339OrNull(token.revoked_at),
      })),
      ...more,
    };
  },
});
