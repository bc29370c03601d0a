import { z } from 'zod';
import { defineTool } from '#tools/define';
import { adminFields } from './fields.ts';

export const unblockUser = defineTool({
  name: 'unblock_user',
  title: 'Unblock a user',
  description: 'Lifts the block of a user: their tokens work again.',
  scope: 'admin',
  effect: 'update',
  idempotent: true,
  route: 'POST /users/{user_id}/unblock',
  cli: { command: 'user unblock', positionals: ['user_id'] },
  input: z.object({ user_id: adminFields.user_id }),
  output: z.object({
    user_id: z.string().describe('The id of the user (UUID).'),
    status: z.literal('active').describe('Always "active".'),
  }),
  entity: ({ user_id }) => ({ kind: 'user', id: user_id }),
  run: async ({ input, work, services }) => {
    await services.users.setStatus(work, input.user_id, 'active');
    return { user_id: input.user_id, status: 'active' as const };
  },
});
