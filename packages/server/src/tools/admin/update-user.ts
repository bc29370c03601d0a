import { z } from 'zod';
import { UserRole } from '#domain/user';
import { defineTool } from '#tools/define';
import { adminFields } from './fields.ts';

export const updateUser = defineTool({
  name: 'update_user',
  title: 'Change a user',
  description:
    'Gives a user another name or role. A user who becomes a member is signed out, and loses tokens with admin.',
  scope: 'admin',
  effect: 'update',
  idempotent: true,
  route: 'PATCH /users/{user_id}',
  cli: { command: 'user update', positionals: ['user_id'] },
  input: z.object({
    user_id: adminFields.user_id,
    name: adminFields.name.optional().describe('The new name: 1 to 100 characters.'),
    role: UserRole.optional().describe('member or admin.'),
  }),
  output: z.object({
    user_id: z.string().describe('The id of the user (UUID).'),
    name: z.string().describe('Their name.'),
    role: UserRole.describe('Their role.'),
  }),
  entity: ({ user_id }) => ({ kind: 'user', id: user_id }),
  run: async ({ input: { user_id, ...changes }, work, services }) => {
    const { name, role } = await services.users.update(work, user_id, changes);
    return { user_id, name, role };
  },
});
