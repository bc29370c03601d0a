import { z } from 'zod';
import { BROWSER_SESSION_MS } from '#domain/sign-in';
import { defineTool } from '#tools/define';
import { rfc3339OrNull } from '#tools/time';
import { browserPlace, issuedToken } from './fields.ts';

/** How long the token of a browser works, and so its cookie. */
export const BROWSER_SESSION_SECONDS = BROWSER_SESSION_MS / 1000;

export const redeemSignIn = defineTool({
  name: 'redeem_sign_in',
  title: 'Redeem a sign-in key',
  description:
    'Exchanges the key of a sign-in link for the token of one browser, as the server does when the link is opened. The token is shown once.',
  scope: 'admin',
  effect: 'create',
  secret: true,
  route: 'POST /sign-ins/redeem',
  cli: { command: 'sign-in redeem', positionals: ['key'] },
  input: z.object({ key: z.string().min(1).max(200).describe('The key of the link.'), ...browserPlace }),
  output: z.object(issuedToken),
  entity: (_input, { token_id }) => ({ kind: 'token', id: token_id }),
  run: async ({ input, work, services }) => {
    const { token, secret } = await services.signIns.redeem(work, input.key, input);
    return { token_id: token.id, token: secret, expires_at: rfc3339OrNull(token.expires_at) };
  },
});
