import { z } from 'zod';
import { PASSWORD_CHARACTERS } from '#domain/sign-in';
import { defineTool } from '#tools/define';
import { rfc3339OrNull } from '#tools/time';
import { adminFields, browserPlace, issuedToken } from './fields.ts';

export const signIn = defineTool({
  name: 'sign_in',
  title: 'Sign in with a password',
  description:
    'Exchanges a name and a password for the token of one browser, as the server does on the page for signing in. The token is shown once.',
  scope: 'admin',
  effect: 'create',
  secret: true,
  route: 'POST /sign-ins/password',
  cli: { command: 'sign-in password', positionals: ['name'], typed: ['password'] },
  input: z.object({
    name: adminFields.name.describe('The name of the person.'),
    password: z.string().min(1).max(PASSWORD_CHARACTERS.most).describe('The password.'),
    ...browserPlace,
  }),
  output: z.object(issuedToken),
  entity: (_input, { token_id }) => ({ kind: 'token', id: token_id }),
  prepare: ({ input: { name, password }, work, services }) => services.passwords.check(work, name, password),
  run: async ({ input, work, services, prepared }) => {
    const { token, secret } = await services.passwords.signIn(work, prepared, input);
    return { token_id: token.id, token: secret, expires_at: rfc3339OrNull(token.expires_at) };
  },
});
