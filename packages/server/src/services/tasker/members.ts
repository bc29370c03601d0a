import type { ProjectId, UserId } from '#domain/ids';
import { isWithinRole, type MemberRole, type ProjectMember } from '#domain/project';
import { refusal } from '#domain/refusal';
import { ErrandError } from '#errors';
import { mustBeOfTeam } from '#services/members';
import type { WriteWork } from '#services/work';
import { membersManaged } from '#services/workspace';
import type { TaskerAdapter } from './adapter.ts';
import { projectOf } from './lookup.ts';

interface NewMember {
  readonly project_id: ProjectId;
  readonly user_id: UserId;
  readonly role: MemberRole;
  /** Where a person asked for it. The gateway writes this to the audit trail. */
  readonly instruction_ref?: string | undefined;
}

interface AddedMember {
  readonly member: ProjectMember & { readonly name: string };
  /** False when the user already was a member. */
  readonly added: boolean;
}

async function mustBeManagedHere(work: WriteWork, { is_local }: TaskerAdapter): Promise<void> {
  if (!is_local) {
    throw new ErrandError('membership_managed_externally', 'Members of this project are managed in its tracker.', {
      hint: 'Ask a person to add the member there.',
    });
  }
  if ((await membersManaged(work)) === 'external') {
    throw new ErrandError('membership_managed_externally', 'Members of this workspace are managed in another system.', {
      hint: 'Ask a person to add the member there.',
    });
  }
}

export function createTrackerMembers(adapter: TaskerAdapter) {
  return {
    /** Adds an active member of the workspace to a project. It does not invite anyone into the workspace. */
    addExisting: async (work: WriteWork, fields: NewMember): Promise<AddedMember> => {
      const { project_id, user_id, role, instruction_ref } = fields;
      const { tx, caller } = work;
      const project = await projectOf(work, project_id);
      mustBeOfTeam(project);
      await mustBeManagedHere(work, adapter);
      if (caller.agent_id !== null && instruction_ref === undefined) {
        throw refusal(
          'instruction_ref',
          'is required from an agent: say where a person asked for this, such as a link or a quote',
        );
      }
      const user = await tx.users.find(caller.workspace_id, user_id);
      if (user?.status !== 'active') throw refusal('user_id', 'names no active member of this workspace');
      if (caller.agent_id !== null && role === 'admin') {
        throw refusal('role', 'cannot be admin: an agent adds guests and members only');
      }
      if (!isWithinRole(role, user.role)) throw refusal('role', 'is more than the role of this user in the workspace');

      const members = await tx.projects.members(caller.workspace_id, project.id);
      const present = members.find((member) => member.user_id === user.id);
      if (present !== undefined && present.role !== role) {
        throw new ErrandError('conflict', `This user is a member of the project already, as ${present.role}.`, {
          hint: 'Roles are changed by an administrator.',
        });
      }
      if (present !== undefined) return { member: present, added: false };

      const member: ProjectMember = { project_id: project.id, user_id: user.id, role, added_at: tx.now };
      await tx.projects.putMember(member);
      work.changed(null, member);
      return { member: { ...member, name: user.name }, added: true };
    },
  };
}
