import { z } from 'zod';
import { defineTool } from '#tools/define';
import { rfc3339, rfc3339OrNull, time } from '#tools/time';
import { adminFields } from './fields.ts';

export const listSessions = defineTool({
  name: 'list_sessions',
  title: 'List signed-in browsers',
  description: 'Lists the browsers that are signed in, the last used first: your own, or for an admin those of anyone.',
  scope: 'board:read',
  effect: 'read',
  route: 'GET /sessions',
  cli: { command: 'session list', flags: { user_id: 'user' } },
  input: z.object({
    user_id: adminFields.user_id.optional().describe('Whose, by name or id; only an admin names others.'),
    all: z.boolean().default(false).describe('true: of all users. Only an admin sees them.'),
  }),
  output: z.object({
    sessions: z
      .array(
        z.object({
          session_id: z.string().describe('The session (UUID).'),
          user_id: z.string().describe('Who is signed in (UUID).'),
          user_name: z.string().describe('Their name.'),
          device: z.string().describe('What the browser calls itself.'),
          address: z.string().describe('Where it was last seen.'),
          created_at: time.describe('When it signed in (RFC 3339).'),
          seen_at: time.describe('When it was last seen, to some minutes (RFC 3339).'),
          expires_at: time.nullable().describe('When it ends (RFC 3339).'),
          is_this: z.boolean().describe('Whether it is the one that asks.'),
        }),
      )
      .describe('At most 200.'),
  }),
  run: async ({ input, work, services }) => {
    const sessions = await services.browserSessions.list(work, input.all ? 'all' : input.user_id);
    return {
      sessions: sessions.map((session) => ({
        session_id: session.token_id,
        user_id: session.user_id,
        user_name: session.user_name,
        device: session.device,
        address: session.address,
        created_at: rfc3339(session.created_at),
        seen_at: rfc3339(session.seen_at),
        expires_at: rfc3339OrNull(session.expires_at),
        is_this: session.token_id === work.caller.token_id,
      })),
    };
  },
});
