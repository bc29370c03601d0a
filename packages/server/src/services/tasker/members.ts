import type { ProjectId, UserId } from '#domain/ids';
import { isWithinRole, type MemberRole, type ProjectMember } from '#domain/project';
import { refusal } from '#domain/refusal';
import { ErrandError } from '#errors';
import { mustBeOfTeam } from '#services/members';
import type { WriteWork } from '#services/work';
import type { TaskerAdapter } from './adapter.ts';
import { projectOf } from './lookup.ts';

interface NewMember {
  readonly project_id: ProjectId;
  readonly user_id: UserId;
  readonly role: MemberRole;
}

interface AddedMember {
  readonly member: ProjectMember & { readonly name: string };
  /** False when they were one already. */
  readonly added: boolean;
}

export function createTrackerMembers(adapter: TaskerAdapter) {
  return {
    /** Lets a person of the workspace into a project. Whom the workspace does not have is not invited. */
    addExisting: async (work: WriteWork, { project_id, user_id, role }: NewMember): Promise<AddedMember> => {
      const { tx, caller } = work;
      const project = await projectOf(work, project_id);
      mustBeOfTeam(project);
      if (!adapter.is_local) {
        throw new ErrandError('membership_managed_externally', 'Members of this project are managed in its tracker.', {
          hint: 'Ask a person to add the member there.',
        });
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
