import { hash } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import type { WorkspaceId } from '../../../packages/server/src/domain/ids.ts';
import { openPostgresStore } from '../../../packages/server/src/store/sql/postgres/open-postgres-store.ts';
import { openSqliteStore } from '../../../packages/server/src/store/sql/sqlite/open-sqlite-store.ts';
import type { Store } from '../../../packages/server/src/store/store.ts';
import type { Database } from '../database.ts';
import { type Place, type Server, serve } from '../program.ts';
import { type Backend, openDatabase, openPlace } from '../world.ts';
import { newId, plantSite, type Site } from './site.ts';

/** A running Errand with four projects: two granted to agents, one not granted, one of another workspace. */
export interface Tracker extends AsyncDisposable {
  readonly place: Place;
  readonly server: Server;
  readonly database: Database;
  /** The same data, written from outside of the server. */
  readonly store: Store;
  readonly home: Site;
  readonly side: Site;
  readonly neighbour: Site;
  readonly abroad: Site;
  /** A change that no operation of the product makes. */
  readonly force: (sql: string, parameter: string) => Promise<void>;
}

export const openStore = ({ data, database_url }: Place): Promise<Store> =>
  database_url === undefined
    ? openSqliteStore({ path: join(data, 'errand.db'), clock: Date.now, ids: newId })
    : openPostgresStore({ url: database_url, ids: newId });

/** Makes a change that no operation of the product makes; `?` is the parameter. */
export async function forceIn({ data, database_url }: Place, sql: string, parameter: string): Promise<void> {
  if (database_url === undefined) {
    using file = new DatabaseSync(join(data, 'errand.db'), { timeout: 10_000 });
    file.prepare(sql).run(parameter);
    return;
  }
  const client = new pg.Client({ connectionString: database_url });
  await client.connect();
  await client.query(sql.replace('?', '$1'), [parameter]);
  await client.end();
}

/** Opens a tracker. `postgres` is the server for new databases; that of the test run unless given. */
export async function openTracker(
  backend: Backend,
  env: Readonly<Record<string, string>> = {},
  postgres?: string,
): Promise<Tracker> {
  await using opened = new AsyncDisposableStack();
  const place = opened.use(await openPlace(backend, postgres));
  const server = opened.use(await serve(place, env));
  const store = await openStore(place);
  opened.defer(() => store.close());
  const database = opened.use(openDatabase(place));
  const workspace = await store.reads.workspaces.first();
  if (workspace === null) throw new Error('The server has made no workspace.');
  const elsewhere = { id: newId() as WorkspaceId, name: 'Elsewhere', created_at: workspace.created_at + 1 };
  await store.transaction((tx) => tx.workspaces.insert(elsewhere));

  const home = await plantSite(store, workspace.id, 'home');
  const side = await plantSite(store, workspace.id, 'side');
  const neighbour = await plantSite(store, workspace.id, 'neighbour');
  const abroad = await plantSite(store, elsewhere.id, 'abroad');
  const all = opened.move();
  return {
    place,
    server,
    database,
    store,
    home,
    side,
    neighbour,
    abroad,
    force: (sql, parameter) => forceIn(place, sql, parameter),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

const TABLES = [
  'work_items',
  'comments',
  'item_labels',
  'assignments',
  'labels',
  'states',
  'projects',
  'project_members',
  'executions',
  'idempotency',
  'agents',
  'users',
];

/** Hashes all data that a refused call must not change. */
export async function trackerDigest(database: Database): Promise<string> {
  const dumps = TABLES.map(async (table) => {
    const rows = await database.rows(`select * from ${table} order by 1, 2`);
    // Ignore liveness: a timer marks silent runs independently of calls.
    return [table, rows.map(({ liveness: _, ...row }) => row)];
  });
  return hash('sha256', JSON.stringify(await Promise.all(dumps)));
}

/** Counts the changes in the audit trail. */
export async function countEffects(database: Database): Promise<number> {
  const [row] = await database.rows(`select count(*) as n from trail where outcome = 'ok' and action like 'tasker_%'`);
  return Number(row?.n);
}
