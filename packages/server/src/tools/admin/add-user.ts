import { z } from 'zod';
import { UserRole } from '#domain/user';
import { defineTool } from '#tools/define';
import { adminFields } from './fields.ts';

export const addUser = defineTool({
  name: 'add_user',
  title: 'Add a user',
  description: 'Adds a person to the workspace, with a todo list of their own.',
  scope: 'admin',
  effect: 'create',
  route: 'POST /users',
  cli: { command: 'user add', positionals: ['name'] },
  input: z.object({
    name: adminFields.name,
    role: UserRole.default('member').describe('"member" (the default) or "admin".'),
  }),
  output: z.object({ user_id: z.string().describe('The id of the user (UUID).') }),
  entity: (_input, { user_id }) => ({ kind: 'user', id: user_id }),
  run: async ({ input, work, services }) => ({ user_id: (await services.users.add(work, input.name, input.role)).id }),
});
