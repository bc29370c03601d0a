import { z } from 'zod';
import { TokenId } from '#domain/ids';
import { defineTool } from '#tools/define';

export const endSession = defineTool({
  name: 'end_session',
  title: 'Sign a browser out',
  description: 'Ends the session of a browser at once: one of yours, or for an admin that of anyone.',
  scope: 'board:read',
  effect: 'delete',
  destructive: false,
  route: 'DELETE /sessions/{browser_session_id}',
  cli: { command: 'session end', positionals: ['browser_session_id'] },
  input: z.object({ browser_session_id: TokenId.describe('The session, by id.') }),
  output: z.object({
    session_id: z.string().describe('The session (UUID).'),
    status: z.literal('ended').describe('Always "ended".'),
  }),
  entity: ({ browser_session_id }) => ({ kind: 'token', id: browser_session_id }),
  run: async ({ input: { browser_session_id }, work, services }) => {
    await services.browserSessions.end(work, browser_session_id);
    return { session_id: browser_session_id, status: 'ended' as const };
  },
});
