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
    'Adds an active member of the workspace to a granted project, so that issues can be assigned to them. Only on the instruction of a person, named in instruction_ref. Nobody is invited into the workspace by it.',
  scope: 'project:member:add_existing',
  effect: 'create',
  idempotent: true,
  key: 'required',
  project: 'project_id',
  route: 'POST /tasker/projects/{project_id}/members',
  input: z.object({
    project_id: taskerFields.project_id,
    user_id: UserId.describe('The member of the workspace, by id.'),
    role: MemberRole.default('member').describe(
      'Their role in the project: guest, member (the default) or admin. Not above their role in the workspace; agents cannot give admin.',
    ),
    instruction_ref: text(1, 500)
      .optional()
      .describe(
        'Where a person asked for it, such as a link or a quote: 1 to 500 characters, kept in the audit trail. Agents must give it.',
      ),
  }),
  output: z.object({
    member: z
      .object({
        project_id: z.string().describe('The id of the project.'),
        user_id: z.string().describe('The id of the user.'),
        name: z.string().describe('The name of the user.'),
        role: MemberRole.describe('Their role in the project.'),
      })
      .describe('The member as they are now.'),
    added: z.boolean().describe('False when they were a member with that role already.'),
  }),
  told_as: 'updated',
  entity: ({ project_id }) => ({ kind: 'project', id: project_id }),
  run: async ({ input, work, services }) => {
    const { member, added } = await services.tasker.members.addExisting(work, input);
    const { project_id, user_id, name, role } = member;
    return { member: { project_id, user_id, name, role }, added };
  },
});
