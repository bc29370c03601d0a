import { z } from 'zod';
import { PASSWORD_CHARACTERS } from '#domain/sign-in';
import { defineTool } from '#tools/define';
import { password } from './fields.ts';

export const changePassword = defineTool({
  name: 'change_password',
  title: 'Change your password',
  description: 'Sets the password of the person who is signed in, and ends their other sessions.',
  scope: 'board:read',
  effect: 'update',
  // As for `set_password`.
  secret: true,
  route: 'PUT /me/password',
  cli: { command: 'user change-password', typed: ['current', 'password'] },
  input: z.object({
    current: z
      .string()
      .max(PASSWORD_CHARACTERS.most)
      .optional()
      .describe('The password until now; left out when there is none.'),
    password,
  }),
  output: z.object({ user_id: z.string().describe('The id of the user (UUID).') }),
  entity: (_input, { user_id }) => ({ kind: 'user', id: user_id }),
  prepare: ({ input, work, services }) => services.passwords.hashOwn(work, input.current, input.password),
  run: async ({ work, services, prepared }) => {
    const { user_id } = work.caller;
    await services.passwords.put(work, user_id, prepared);
    return { user_id };
  },
});
