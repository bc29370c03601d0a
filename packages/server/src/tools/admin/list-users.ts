import { z } from 'zod';
import { UserRole, UserStatus } from '#domain/user';
import { readableId } from '#domain/visible-text';
import { defineTool } from '#tools/define';
import { pageInput, pageOutput } from '#tools/paging';
import { rfc3339, time } from '#tools/time';
import { adminFields } from './fields.ts';

export const listUsers = defineTool({
  name: 'list_users',
  title: 'List users',
  description: 'Lists the people of the workspace, or the users of an app.',
  scope: 'admin',
  effect: 'read',
  route: 'GET /users',
  cli: { command: 'user list' },
  input: z.object({
    app: adminFields.app.optional().describe('The users of this app instead of the people.'),
    ...pageInput,
  }),
  output: z.object({
    users: z
      .array(
        z.object({
          user_id: z.string().describe('The id of the user (UUID).'),
          name: z
            .string()
            .describe(
              "The name of the person, or the app's id of the user, with invisible characters written as \\u{200B}.",
            ),
          role: UserRole.describe('"member" or "admin".'),
          status: UserStatus.describe('"active" or "blocked".'),
          created_at: time.describe('When the user was added (RFC 3339).'),
        }),
      )
      .describe('The users, in the order in which they were added.'),
    ...pageOutput,
  }),
  run: async ({ input, work, services }) => {
    const { app, ...page } = input;
    const { rows, ...more } = await (app === undefined
      ? services.users.list(work, page)
      : services.appUsers.list(work, app, page));
    return {
      users: rows.map(({ id, name, role, status, created_at }) => ({
        user_id: id,
        name: app === undefined ? name : readableId(name),
        role,
        status,
        created_at: rfc3339(created_at),
      })),
      ...more,
    };
  },
});
