import type { ReferenceKind, Referent } from '#domain/reference';
import { LIMIT } from '#store/sql/page';
import type { Session } from '#store/sql/session';
import { type Statement, statement } from '#store/sql/statement';
import type { Reads } from '#store/store';

interface Wanted {
  readonly workspace_id: string;
  readonly user_id: string;
  readonly text: string;
  readonly limit: number;
}

const referents = (from: string, table: string, condition = ''): Statement<Wanted, Referent> =>
  statement(`
    select ${table}.id, ${table}.name from ${from}
    where ${condition}
      (${table}.id = :text or lower(${table}.name) = :text or substr(${table}.id, 1, length(:text)) = :text)
    order by ${table}.id ${LIMIT}`);

const IN_WORKSPACE = 'workspace_id = :workspace_id and';
/** The todo lists of other people all have one name. */
const IS_OPEN = '(projects.owner_id is null or projects.owner_id = :user_id) and';

const STATEMENTS: Readonly<Record<ReferenceKind, Statement<Wanted, Referent>>> = {
  project: referents('projects', 'projects', `${IN_WORKSPACE} ${IS_OPEN}`),
  user: referents(
    'users left join app_users on app_users.user_id = users.id',
    'users',
    `users.${IN_WORKSPACE} app_users.app is null and`,
  ),
  agent: referents('agents', 'agents', IN_WORKSPACE),
  repo: referents(
    'repos join projects on projects.id = repos.project_id',
    'repos',
    `projects.${IN_WORKSPACE} ${IS_OPEN} repos.id not in (select repo_id from removed_repos) and`,
  ),
};

export const referenceReads = (session: Session): Reads['references'] => ({
  find: (workspace_id, user_id, { kind, text, limit }) =>
    session.all(STATEMENTS[kind], { workspace_id, user_id, text: text.toLowerCase(), limit }),
});
