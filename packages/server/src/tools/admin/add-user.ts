import { z } from 'zod';
import { UserRole } from '#domain/user';
import { defineTool } from '#tools/define';
import { adminFields } from './fields.ts';

export const addUser = defineTool({
  name: 'add_user',
  title: 'Add a user',
  description: 'Adds a person to the workspace, with a new todo list.',
  scope: 'admin',
  effect: 'create',
  route: 'POST /users',
  cli: { command: 'user add', positionals: ['name'] },
  input: z.object({
    name: adminFields.name,
    role: UserRole.default('member').describe('"member" (the default) or "admin".'),
  }),
  output: z.object({
    user_id: z.string().describe('The id of the user (UUID).'),
    warning: z.string().optional().describe('Who else has this name; left out when nobody has.'),
  }),
  entity: (_input, { user_id }) => ({ kind: 'user', id: user_id }),
  run: async ({ input, work, services }) => {
    const { user, warning } = await services.users.add(work, input.name, input.role);
    return { user_id: user.id, ...(warning !== null && { warning }) };
  },
});
