import { z } from 'zod';
import { Scope } from '#domain/scope';
import { type Token, TokenKind } from '#domain/token';
import { defineTool } from '#tools/define';
import { pageInput, pageOutput } from '#tools/paging';
import { rfc3339, rfc3339OrNull, time } from '#tools/time';

const listed = (names: string | readonly string[]): readonly string[] => (typeof names === 'string' ? [names] : names);

const namedBy = ({ acts_for, app }: Token): string[] => [...listed(acts_for), ...listed(app?.user_ids ?? [])];

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
            .describe(
              'The users that it may act for: "self" for its own user, ids of its app or of people (UUID), or "*" for all.',
            ),
          app: z.string().nullable().describe('The app whose users it names; null for none.'),
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
        acts_for: namedBy(token),
        app: token.app?.name ?? null,
        created_at: rfc3339(token.created_at),
        expires_at: rfc3339OrNull(token.expires_at),
        revoked_at: rfc3339OrNull(token.revoked_at),
      })),
      ...more,
    };
  },
});
