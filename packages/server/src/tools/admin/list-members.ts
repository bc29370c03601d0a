import { z } from 'zod';
import { MemberRole } from '#domain/project';
import { UserStatus } from '#domain/user';
import { defineTool } from '#tools/define';
import { pageInput, pageOutput } from '#tools/paging';
import { rfc3339, time } from '#tools/time';
import { adminFields } from './fields.ts';

export const listMembers = defineTool({
  name: 'list_members',
  title: 'List members',
  description: 'Lists the members of a project.',
  scope: 'admin',
  effect: 'read',
  route: 'GET /projects/{project_id}/members',
  cli: { command: 'member list', flags: { project_id: 'project' } },
  input: z.object({ project_id: adminFields.project_id, ...pageInput }),
  output: z.object({
    members: z
      .array(
        z.object({
          user_id: z.string().describe('The id of the user (UUID).'),
          name: z.string().describe('The name of the user.'),
          role: MemberRole.describe('The role in the project: "guest", "member" or "admin".'),
          status: UserStatus.describe('"active" or "blocked".'),
          added_at: time.describe('When they were added (RFC 3339).'),
        }),
      )
      .describe('The members, in the order in which they came to the workspace.'),
    ...pageOutput,
  }),
  run: async ({ input: { project_id, ...page }, work, services }) => {
    const { rows, ...more } = await services.members.list(work, project_id, page);
    return { members: rows.map((member) => ({ ...member, added_at: rfc3339(member.added_at) })), ...more };
  },
});
