import type { ProjectId, WorkspaceId } from '#domain/ids';
import type { MemberRow, ProjectMember } from '#domain/project';
import { named, replacement } from '#store/sql/row-writes';
import type { Session, WriteSession } from '#store/sql/session';
import { statement } from '#store/sql/statement';
import type { Reads, Transaction } from '#store/store';

type OneMember = Pick<ProjectMember, 'project_id' | 'user_id'> & { readonly workspace_id: WorkspaceId };

const OF_PROJECT = 'project_id = (select id from projects where id = :project_id and workspace_id = :workspace_id)';

const COLUMNS = ['project_id', 'user_id', 'role', 'added_at'] as const satisfies readonly (keyof ProjectMember)[];

const list = statement<{ readonly workspace_id: WorkspaceId; readonly id: ProjectId }, MemberRow>(`
  select ${named(COLUMNS, 'project_members')}, users.name, users.status
  from project_members
    join projects on projects.id = project_members.project_id
    join users on users.id = project_members.user_id
  where projects.workspace_id = :workspace_id and projects.id = :id
  order by project_members.added_at, project_members.user_id`);

const put = replacement('project_members', { key: ['project_id', 'user_id'], columns: COLUMNS, written: ['role'] });

const remove = statement<OneMember, never>(`delete from project_members where ${OF_PROJECT} and user_id = :user_id`);

const unassign = statement<OneMember, never>(`
  delete from assignments
  where user_id = :user_id and work_item_id in (select id from work_items where ${OF_PROJECT})`);

const ungrant = statement<OneMember, never>(`
  delete from grants
  where ${OF_PROJECT} and agent_id in (select id from agents where owner_id = :user_id)`);

export const memberReads = (session: Session): Pick<Reads['projects'], 'members'> => ({
  members: (workspace_id, id) => session.all(list, { workspace_id, id }),
});

export const memberWrites = (session: WriteSession): Pick<Transaction['projects'], 'putMember' | 'removeMember'> => ({
  putMember: (member) => {
    session.accessChanged();
    return session.write(put, member);
  },
  removeMember: async (workspace_id, project_id, user_id) => {
    const member = { workspace_id, project_id, user_id };
    session.accessChanged();
    await session.write(unassign, member);
    await session.write(ungrant, member);
    return (await session.run(remove, member)) > 0;
  },
});
