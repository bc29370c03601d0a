import { z } from 'zod';
import { defineTool } from '#tools/define';
import { adminFields } from './fields.ts';

export const blockUser = defineTool({
  name: 'block_user',
  title: 'Block a user',
  description: 'Blocks a user: all tokens of the user and of their agents stop working at once.',
  scope: 'admin',
  effect: 'update',
  idempotent: true,
  route: 'POST /users/{user_id}/block',
  cli: { command: 'user block', positionals: ['user_id'] },
  input: z.object({ user_id: adminFields.user_id }),
  output: z.object({
    user_id: z.string().describe('The id of the user (UUID).'),
    status: z.literal('blocked').describe('Always "blocked".'),
  }),
  entity: ({ user_id }) => ({ kind: 'user', id: user_id }),
  run: async ({ input, work, services }) => {
    await services.users.setStatus(work, input.user_id, 'blocked');
    return { user_id: input.user_id, status: 'blocked' as const };
  },
});
