import type { ProjectId, UserId, WorkspaceId } from '#domain/ids';
import type { ProjectMember } from '#domain/project';
import type { Session, WriteSession } from '#store/sql/session';
import { plainStatement, statement } from '#store/sql/statement';
import type { Reads, Transaction } from '#store/store';

type OneMember = Pick<ProjectMember, 'project_id' | 'user_id'>;

const list = statement<{ readonly workspace_id: WorkspaceId; readonly id: ProjectId }>()((tables, place) =>
  tables
    .selectFrom('project_members')
    .innerJoin('projects', 'projects.id', 'project_members.project_id')
    .innerJoin('users', 'users.id', 'project_members.user_id')
    .selectAll('project_members')
    .select(['users.name', 'users.status'])
    .where('projects.workspace_id', '=', place('workspace_id'))
    .where('projects.id', '=', place('id'))
    .orderBy('project_members.added_at')
    .orderBy('project_members.user_id'),
);

const put = statement<ProjectMember>()((tables, place) =>
  tables
    .insertInto('project_members')
    .values({
      project_id: place('project_id'),
      user_id: place('user_id'),
      role: place('role'),
      added_at: place('added_at'),
    })
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'user_id']).doUpdateSet((row) => ({ role: row.ref('excluded.role') })),
    ),
);

const remove = statement<OneMember>()((tables, place) =>
  tables
    .deleteFrom('project_members')
    .where('project_id', '=', place('project_id'))
    .where('user_id', '=', place('user_id')),
);

const unassign = plainStatement<{ readonly project_id: ProjectId; readonly user_id: UserId }, never>(`
  delete from assignments
  where user_id = :user_id and work_item_id in (select id from work_items where project_id = :project_id)`);

const ungrant = plainStatement<{ readonly project_id: ProjectId; readonly user_id: UserId }, never>(`
  delete from grants
  where project_id = :project_id and agent_id in (select id from agents where owner_id = :user_id)`);

export const memberReads = (session: Session): Pick<Reads['projects'], 'members'> => ({
  members: (workspace_id, id) => session.all(list, { workspace_id, id }),
});

export const memberWrites = (session: WriteSession): Pick<Transaction['projects'], 'putMember' | 'removeMember'> => ({
  putMember: (member) => {
    session.accessChanged();
    return session.write(put, member);
  },
  removeMember: async (project_id, user_id) => {
    session.accessChanged();
    await session.write(unassign, { project_id, user_id });
    await session.write(ungrant, { project_id, user_id });
    return (await session.run(remove, { project_id, user_id })) > 0;
  },
});
