import { z } from 'zod';
import { defineTool } from '#tools/define';
import { adminFields, password } from './fields.ts';

export const setPassword = defineTool({
  name: 'set_password',
  title: 'Set the password of a user',
  description: 'Sets the password with which a user signs in, and ends their other sessions.',
  scope: 'admin',
  effect: 'update',
  // Without an idempotency key: its record would hold a hash of the password that is quick to guess.
  secret: true,
  route: 'PUT /users/{user_id}/password',
  cli: { command: 'user password', positionals: ['user_id'], typed: ['password'] },
  input: z.object({ user_id: adminFields.user_id, password }),
  output: z.object({ user_id: z.string().describe('The id of the user (UUID).') }),
  entity: ({ user_id }) => ({ kind: 'user', id: user_id }),
  prepare: ({ input, work, services }) => services.passwords.hash(work, input.user_id, input.password),
  run: async ({ input, work, services, prepared }) => {
    await services.passwords.set(work, input.user_id, prepared);
    return { user_id: input.user_id };
  },
});
