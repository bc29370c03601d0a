import type { ProjectId, WorkspaceId } from '#domain/ids';
import { retireKeys } from '#store/sql/repositories/project-keys';
import type { Session, WriteSession } from '#store/sql/session';
import { statement } from '#store/sql/statement';
import type { Reads, Transaction } from '#store/store';

interface OneProject {
  readonly workspace_id: WorkspaceId;
  readonly id: ProjectId;
}

const OWN = 'select id from projects where id = :id and workspace_id = :workspace_id';

const counts = statement<OneProject, { readonly tasks: number; readonly runs: number }>(`
  select
    (select count(*) from work_items where project_id in (${OWN})) as tasks,
    (select count(*) from executions where project_id in (${OWN}))
      + (select count(*) from attempts where project_id in (${OWN}))
      + (select count(*) from attempt_tokens where project_id in (${OWN})) as runs`);

/** The tables of a project without runs, each before those it refers to. Rows that refer to a task are deleted with it. */
const REMOVALS = ['work_items', 'labels', 'states', 'project_members', 'grants', 'repos']
  .map((table) => `delete from ${table} where project_id in (${OWN})`)
  .concat('delete from projects where id = :id and workspace_id = :workspace_id')
  .map((text) => statement<OneProject, never>(text));

export const projectContents = (session: Session): Pick<Reads['projects'], 'contents'> => ({
  contents: async (workspace_id, id) => {
    const row = await session.get(counts, { workspace_id, id });
    return { tasks: Number(row?.tasks ?? 0), runs: Number(row?.runs ?? 0) };
  },
});

export const projectRemoval = (session: WriteSession): Pick<Transaction['projects'], 'remove'> => ({
  remove: async (workspace_id, id) => {
    session.accessChanged();
    await session.write(retireKeys, { workspace_id, id });
    for (const removal of REMOVALS) await session.write(removal, { workspace_id, id });
  },
});
