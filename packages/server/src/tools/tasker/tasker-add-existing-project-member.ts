import { z } from 'zod';
import { UserId } from '#domain/ids';
import { MemberRole } from '#domain/project';
import { text } from '#domain/text';
import { defineTool } from '#tools/define';
import { taskerFields } from './fields.ts';

export const taskerAddExistingProjectMember = defineTool({
  name: 'tasker_add_existing_project_member',
  title: 'Add a project member',
  description:
    'Adds an active member of the workspace to a project, so that issues can be assigned to them. Only when a person asked for it: instruction_ref says where.',
  scope: 'project:member:add_existing',
  effect: 'create',
  idempotent: true,
  key: 'required',
  project: 'project_id',
  route: 'POST /tasker/projects/{project_id}/members',
  input: z.object({
    project_id: taskerFields.project_id,
    user_id: UserId.describe('Member of the workspace, by id.'),
    role: MemberRole.default('member').describe('Role in the project: guest, member or admin (not by agents).'),
    instruction_ref: text(1, 500)
      .optional()
      .describe('Where a person asked for it, a link or a quote: 1 to 500 characters. Agents must give it.'),
  }),
  output: z.object({
    member: z
      .object({
        project_id: z.string().describe('Project.'),
        user_id: z.string().describe('User.'),
        name: z.string().describe('Name.'),
        role: MemberRole.describe('Role in the project.'),
      })
      .describe('The member now.'),
    added: z.boolean().describe('false: they had that role already.'),
  }),
  event: 'updated',
  entity: ({ project_id }) => ({ kind: 'project', id: project_id }),
  run: async ({ input, work, services }) => {
    const { member, added } = await services.tasker.members.addExisting(work, input);
    const { project_id, user_id, name, role } = member;
    return { member: { project_id, user_id, name, role }, added };
  },
});
