import { ACTIVE } from '#domain/attempt';
import type { AttemptId, ProjectId, RepoId, WorkspaceId } from '#domain/ids';
import type { Repo } from '#domain/project';
import { change, insertion, named } from '#store/sql/row-writes';
import type { Session, WriteSession } from '#store/sql/session';
import { statement } from '#store/sql/statement';
import type { Reads, Transaction } from '#store/store';

const STORED = [
  'id',
  'project_id',
  'name',
  'path',
  'target_branch',
  'created_at',
] as const satisfies readonly (keyof Repo)[];

interface OneRepo {
  readonly workspace_id: WorkspaceId;
  readonly id: RepoId;
}

const SELECT = `
  select ${named(STORED, 'repos')}, setup_scripts.script as setup_script
  from repos
    join projects on projects.id = repos.project_id
    left join setup_scripts on setup_scripts.repo_id = repos.id`;

const NOT_REMOVED = 'not exists (select 1 from removed_repos where removed_repos.repo_id = repos.id)';

const list = statement<{ readonly workspace_id: WorkspaceId; readonly id: ProjectId }, Repo>(`${SELECT}
  where projects.workspace_id = :workspace_id and projects.id = :id and ${NOT_REMOVED}
  order by repos.id`);

const one = statement<OneRepo, Repo>(`${SELECT}
  where projects.workspace_id = :workspace_id and repos.id = :id and ${NOT_REMOVED}`);

const removed = statement<
  { readonly workspace_id: WorkspaceId; readonly id: ProjectId; readonly path: string },
  Repo
>(`${SELECT}
  where projects.workspace_id = :workspace_id and projects.id = :id and repos.path = :path and not (${NOT_REMOVED})`);

const busy = statement<OneRepo, { readonly attempt_id: AttemptId }>(`
  select attempts.id as attempt_id from attempt_repos join attempts on attempts.id = attempt_repos.attempt_id
  where attempt_repos.repo_id = :id and attempts.workspace_id = :workspace_id
    and attempts.run_status in (${ACTIVE.map((status) => `'${status}'`).join(', ')})
  order by attempts.id limit 1`);

const OWN = `
  select repos.id from repos join projects on projects.id = repos.project_id
  where repos.id = :id and projects.workspace_id = :workspace_id`;

const remove = statement<OneRepo & { readonly now: number }, never>(
  ({ bigint }) => `
    insert into removed_repos (repo_id, removed_at) select own.id, ${bigint('now')} from (${OWN}) as own where true
    on conflict (repo_id) do nothing`,
);
const restore = statement<OneRepo, never>(`delete from removed_repos where repo_id in (${OWN})`);

const insert = insertion('repos', STORED);
const update = change('repos', ['id', 'project_id'], ['target_branch']);

const putScript = statement<Repo, never>(`
  insert into setup_scripts (repo_id, script)
  select id, :setup_script from repos where id = :id and project_id = :project_id
  on conflict (repo_id) do update set script = excluded.script`);

export const repoReads = (
  session: Session,
): Pick<Reads['projects'], 'repos' | 'repo' | 'removedRepo' | 'busyAttempt'> => ({
  repos: (workspace_id, id) => session.all(list, { workspace_id, id }),
  repo: (workspace_id, id) => session.get(one, { workspace_id, id }),
  removedRepo: (workspace_id, id, path) => session.get(removed, { workspace_id, id, path }),
  busyAttempt: async (workspace_id, id) => (await session.get(busy, { workspace_id, id }))?.attempt_id ?? null,
});

export const repoWrites = (
  session: WriteSession,
): Pick<Transaction['projects'], 'insertRepo' | 'updateRepo' | 'removeRepo' | 'restoreRepo'> => ({
  insertRepo: async (repo) => {
    await session.write(insert, repo);
    if (repo.setup_script !== null) await session.write(putScript, repo);
  },
  removeRepo: (workspace_id, id) => session.write(remove, { workspace_id, id, now: session.now }),
  restoreRepo: (workspace_id, id) => session.write(restore, { workspace_id, id }),
  updateRepo: async (repo) => {
    await session.write(update, repo);
    await session.write(putScript, repo);
  },
});
