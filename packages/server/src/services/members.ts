import { say } from '#advice';
import type { ProjectId, UserId } from '#domain/ids';
import { isWithinRole, type MemberRole, type MemberRow, type Project } from '#domain/project';
import { ErrandError } from '#errors';
import { type PageOf, type PageRequest, pageOf } from './pages.ts';
import type { Ports } from './ports.ts';
import { findProject } from './projects.ts';
import type { ReadWork, WriteWork } from './work.ts';

interface NewMember {
  readonly project_id: ProjectId;
  readonly user_id: UserId;
  readonly role: MemberRole;
}

export function mustBeOfTeam({ kind, id }: Project): void {
  if (kind === 'team') return;
  throw new ErrandError('validation_error', `Project ${id} is the todo list of a user, who stays its only member.`);
}

/** The members of a project: their tokens reach it, and its items can be assigned to them. */
export function createMembers({ cursors }: Ports) {
  const membersOf = ({ tx, caller }: ReadWork, project: ProjectId): Promise<readonly MemberRow[]> =>
    tx.projects.members(caller.workspace_id, project);
  const memberIn = async (work: ReadWork, project: ProjectId, user: UserId): Promise<MemberRow | null> =>
    (await membersOf(work, project)).find(({ user_id }) => user_id === user) ?? null;

  return {
    list: async (work: ReadWork, project: ProjectId, page: PageRequest): Promise<PageOf<MemberRow>> => {
      await findProject(work, project);
      const rows = (await membersOf(work, project)).map((member) => ({ ...member, id: member.user_id }));
      return pageOf(cursors, page, { name: `members:${project}`, rows });
    },

    /** Adds a member, or changes a member's role. */
    put: async (work: WriteWork, { project_id, user_id, role }: NewMember): Promise<void> => {
      const { tx, caller } = work;
      mustBeOfTeam(await findProject(work, project_id));
      const user = await tx.users.find(caller.workspace_id, user_id);
      // Only their apps name the users of apps, who reach nothing but their own lists.
      if (user === null || user.app !== null) {
        throw new ErrandError('not_found', `No user ${user_id}.`, {
          hint: say`${{ call: 'admin_list_users' }} for names and ids.`,
        });
      }
      if (user.status !== 'active') throw new ErrandError('validation_error', `User ${user_id} is blocked.`);
      if (!isWithinRole(role, user.role)) {
        throw new ErrandError(
          'validation_error',
          say`${{ field: 'role' }}: nobody is more in a project than in the workspace: ${user.role}.`,
        );
      }

      const before = await memberIn(work, project_id, user_id);
      const member = { project_id, user_id, role, added_at: before?.added_at ?? tx.now };
      await tx.projects.putMember(member);
      work.changed(before && { ...member, role: before.role }, member);
    },

    remove: async (work: WriteWork, project: ProjectId, user: UserId): Promise<void> => {
      mustBeOfTeam(await findProject(work, project));
      const before = await memberIn(work, project, user);
      if (before === null) {
        throw new ErrandError('not_found', `The project has no member ${user}.`, {
          hint: say`${{ call: 'admin_list_members' }} for names and ids.`,
        });
      }
      await work.tx.projects.removeMember(work.caller.workspace_id, project, user);
      work.changed(before, null);
    },
  };
}
