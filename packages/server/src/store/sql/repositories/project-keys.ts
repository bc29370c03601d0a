import type { ProjectId, WorkspaceId } from '#domain/ids';
import { freeKey } from '#domain/key';
import { LIMIT } from '#store/sql/page';
import { type Statement, statement } from '#store/sql/statement';

interface Keyless {
  readonly id: ProjectId;
  readonly workspace_id: WorkspaceId;
  /** The name that the key is made of: that of the person for a todo list. */
  readonly name: string;
}

interface Key extends Pick<Keyless, 'id' | 'workspace_id'> {
  readonly key: string;
}

// The todo lists of apps' users have no key: nobody types the names of their tasks.
const keyless = statement<{ readonly after: string; readonly limit: number }, Keyless>(`
  select projects.id, projects.workspace_id, coalesce(users.name, projects.name) as name
  from projects left join users on users.id = projects.owner_id
  where projects.key is null and projects.id > :after
    and not exists (select 1 from app_users where app_users.user_id = projects.owner_id)
  order by projects.id ${LIMIT}`);

const taken = statement<Omit<Key, 'id'>, Pick<Key, 'key'>>(
  'select key from project_keys where workspace_id = :workspace_id and key = :key',
);

/** The key of a removed project, if it had ever named a task. */
export const retired = statement<Omit<Key, 'id'>, Pick<Key, 'key'>>(
  'select key from retired_keys where workspace_id = :workspace_id and key = :key',
);

/** Keeps the keys of a project that is about to be removed from other projects: names of its tasks may be anywhere. */
export const retireKeys = statement<Pick<Key, 'id' | 'workspace_id'>, never>(`
  insert into retired_keys (workspace_id, key)
  select workspace_id, key from project_keys
  where project_id = :id and workspace_id = :workspace_id
    and exists (select 1 from item_numbers where item_numbers.project_id = project_keys.project_id)
  on conflict (workspace_id, key) do nothing`);

const give = statement<Key, never>(
  'update projects set key = :key where id = :id and workspace_id = :workspace_id and key is null',
);

/** A key that the project had before stays its own. */
export const keepKey = statement<Key, never>(`
  insert into project_keys (workspace_id, key, project_id) values (:workspace_id, :key, :id)
  on conflict (workspace_id, key) do nothing`);

/** A statement that the database runs for `giveKeys`. */
export interface BoundStatement {
  readonly statement: Statement<object, unknown>;
  readonly params: object;
  readonly writes: boolean;
}

// The cast drops the type of the parameters: each statement stands beside its own.
const read = <Params extends object>(statement: Statement<Params, unknown>, params: Params): BoundStatement => ({
  statement: statement as BoundStatement['statement'],
  params,
  writes: false,
});

const write = <Params extends object>(statement: Statement<Params, unknown>, params: Params): BoundStatement => ({
  ...read(statement, params),
  writes: true,
});

type Takers = readonly Statement<Omit<Key, 'id'>, unknown>[];

/** Where a key may be taken; the upgrade that gives the first keys knows of no removed project yet. */
const AT_FIRST: Takers = [taken];
const EVER: Takers = [taken, retired];

function* keyFor(
  { workspace_id, name }: Keyless,
  takers: Takers,
): Generator<BoundStatement, string, readonly unknown[]> {
  const keys = freeKey(name);
  for (let step = keys.next(); ; ) {
    if (step.done) return step.value;
    let count = 0;
    for (const taker of takers) count += (yield read(taker, { workspace_id, key: step.value })).length;
    step = keys.next(count > 0);
  }
}

/**
 * Gives a key to at most `limit` projects after this one that have none, and returns the last of them; null when there
 * are no more. It yields the statements, because SQLite runs them at once and PostgreSQL later.
 */
export function* giveKeys(
  after: string,
  limit: number,
  takers: Takers = EVER,
): Generator<BoundStatement, ProjectId | null, readonly unknown[]> {
  // The rows are those of the statement before.
  const projects = (yield read(keyless, { after, limit })) as readonly Keyless[];
  for (const project of projects) {
    const { id, workspace_id } = project;
    const key = yield* keyFor(project, takers);
    yield write(give, { id, workspace_id, key });
    yield write(keepKey, { id, workspace_id, key });
  }
  return projects.at(-1)?.id ?? null;
}

/** Gives keys to all projects, page by page. */
export function* giveAllKeys(): Generator<BoundStatement, void, readonly unknown[]> {
  for (let after: string | null = ''; after !== null; ) after = yield* giveKeys(after, 500, AT_FIRST);
}
