import { z } from 'zod';
import { UserName } from '#domain/app';
import { TokenKind } from '#domain/token';
import { defineTool } from '#tools/define';
import { rfc3339OrNull } from '#tools/time';
import { adminFields, issuedToken } from './fields.ts';

export const createToken = defineTool({
  name: 'create_token',
  title: 'Create a token',
  description: 'Creates a token for a person, or for a service that acts for users. The token is shown once.',
  scope: 'admin',
  effect: 'create',
  secret: true,
  route: 'POST /tokens',
  cli: { command: 'token create', flags: { user_id: 'user', user_ids: 'users', expires_in: 'expires' } },
  input: z.object({
    kind: TokenKind.extract(['user', 'service']).describe(
      '"user" for a person, "service" for a program that acts for users.',
    ),
    name: adminFields.name,
    user_id: adminFields.user_id
      .optional()
      .describe('The person that a user token belongs to, by id or name. Default: you.'),
    app: adminFields.app
      .optional()
      .describe(
        'The app whose users a service token acts for. All tokens of an app share its users. Default: the name of the token.',
      ),
    user_ids: z
      .array(UserName)
      .min(1)
      .max(1_000)
      .optional()
      .describe(
        'The users that a service token may act for, with the scope todo:act_as: ids of users of the app, "*" for all of them, ids of people (UUID).',
      ),
    scopes: adminFields.scopes,
    expires_in: adminFields.expires_in.optional().describe('How long it works, such as 30d; for good unless given.'),
  }),
  output: z.object(issuedToken),
  entity: (_input, { token_id }) => ({ kind: 'token', id: token_id }),
  run: async ({ input, work, services }) => {
    const { token, secret } = await services.tokens.create(work, input);
    return { token_id: token.id, token: secret, expires_at: rfc3339OrNull(token.expires_at) };
  },
});
