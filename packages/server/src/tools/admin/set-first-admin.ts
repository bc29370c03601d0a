import { z } from 'zod';
import { defineTool } from '#tools/define';
import { rfc3339OrNull } from '#tools/time';
import { adminFields, browserPlace, issuedToken, password } from './fields.ts';

export const setFirstAdmin = defineTool({
  name: 'set_first_admin',
  title: 'Set the first admin',
  description:
    'Gives the admin of a sign-in key a name and a password, while nobody has a password, and answers the token of one browser. The token is shown once.',
  scope: 'admin',
  effect: 'create',
  // As for `set_password`.
  secret: true,
  route: 'POST /sign-ins/first-admin',
  cli: { command: 'sign-in first-admin', positionals: ['key', 'name'], typed: ['password'] },
  input: z.object({
    key: z.string().min(1).max(200).describe('The key of the link.'),
    name: adminFields.name.describe('The name of the admin: 1 to 100 characters.'),
    password,
    ...browserPlace,
  }),
  output: z.object(issuedToken),
  entity: (_input, { token_id }) => ({ kind: 'token', id: token_id }),
  prepare: ({ input, work, services }) => services.firstAdmin.hash(work, input.key, input.password),
  run: async ({ input: { password: _hashed, ...input }, work, services, prepared }) => {
    const { token, secret } = await services.firstAdmin.begin(work, input, prepared);
    return { token_id: token.id, token: secret, expires_at: rfc3339OrNull(token.expires_at) };
  },
});
