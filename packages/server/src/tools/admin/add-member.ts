import { z } from 'zod';
import { MemberRole } from '#domain/project';
import { defineTool } from '#tools/define';
import { adminFields } from './fields.ts';

export const addMember = defineTool({
  name: 'add_member',
  title: 'Add a member',
  description: 'Adds a user of the workspace to a project, or changes their role in it.',
  scope: 'admin',
  effect: 'update',
  idempotent: true,
  route: 'POST /projects/{project_id}/members',
  cli: { command: 'member add', positionals: ['user_id'], flags: { project_id: 'project' } },
  input: z.object({
    project_id: adminFields.project_id,
    user_id: adminFields.user_id,
    role: MemberRole.default('member').describe(
      '"guest", "member" (the default) or "admin"; not above the role in the workspace.',
    ),
  }),
  output: z.object({
    project_id: z.string().describe('The id of the project (UUID).'),
    user_id: z.string().describe('The id of the user (UUID).'),
    role: MemberRole.describe('What they are in the project now.'),
  }),
  entity: ({ project_id }) => ({ kind: 'project', id: project_id }),
  run: async ({ input: { project_id, user_id, role }, work, services }) => {
    await services.members.put(work, { project_id, user_id, role });
    return { project_id, user_id, role };
  },
});
