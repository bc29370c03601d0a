import { z } from 'zod';
import { UserName } from '#domain/app';
import { defineTool } from '#tools/define';
import { adminFields } from './fields.ts';

export const removeUser = defineTool({
  name: 'remove_user',
  title: 'Remove a user of an app',
  description:
    'Removes a user of an app for good, with their tasks, conversations, messages and idempotency keys. People of the workspace are blocked instead.',
  scope: 'admin',
  effect: 'delete',
  route: 'DELETE /users/{user_id}',
  cli: { command: 'user remove', positionals: ['user_id'] },
  input: z.object({
    user_id: UserName.describe("The user: the app's id of the user, together with app, or the id in Errand."),
    app: adminFields.app.optional().describe('The app whose user it is.'),
  }),
  output: z.object({
    user_id: z.string().describe('The id that the user had in Errand (UUID).'),
    app: z.string().describe('The app whose user it was.'),
    status: z.literal('removed').describe('Always "removed".'),
  }),
  entity: (_input, { user_id }) => ({ kind: 'user', id: user_id }),
  run: async ({ input, work, services }) => {
    const { id, app } = await services.appUsers.remove(work, input.user_id, input.app);
    return { user_id: id, app: app ?? '', status: 'removed' as const };
  },
});
