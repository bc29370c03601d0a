import type { ColumnTypes } from '#store/migrations/migration';
import { pendingMigrations } from '#store/migrations/migrations';
import type { Opening, SchemaChange } from '#store/opening';
import { noData, schemaOutdated } from '#store/sql/database-error';
import { applied } from '#store/sql/readiness';
import { giveAllKeys } from '#store/sql/repositories/project-keys';
import { REINDEX } from '#store/sql/repositories/search-entries';
import { statement } from '#store/sql/statement';
import type { Connection } from './connection.ts';
import { BEGIN, WRITER_LOCK } from './postgres-writer.ts';

const COLUMN_TYPES: ColumnTypes = { dialect: 'postgres', text: 'text collate "C"', bigint: 'bigint' };

const unsafeSettings = statement<object, { readonly name: string }>(
  `select name from pg_settings where name in ('fsync', 'synchronous_commit') and setting = 'off'`,
  'postgres',
);

const known = statement<object, { readonly found: number }>(
  `select 1 as found from pg_tables where tablename = 'migrations' and schemaname = any (current_schemas(false))`,
  'postgres',
);

const markApplied = statement<{ readonly name: string }, never>(
  `insert into migrations (name, applied_at) values (:name, (extract(epoch from clock_timestamp()) * 1000)::bigint)`,
  'postgres',
);

/** Refuses a server that confirms a commit before it is on disk. */
export async function assertDurable(connection: Connection): Promise<void> {
  const unsafe = await connection.get(unsafeSettings, {});
  if (unsafe !== null) {
    throw new Error(`PostgreSQL runs with ${unsafe.name}=off: a power cut would lose confirmed changes. Turn it on.`);
  }
}

async function reindex(connection: Connection): Promise<void> {
  for (let after = ''; ; ) {
    const rows = await connection.all(REINDEX.page, { after });
    await Promise.all(rows.map((row) => connection.query(REINDEX.write, REINDEX.toEntry(row))));
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

async function giveProjectsKeys(connection: Connection): Promise<void> {
  const giving = giveAllKeys();
  for (let step = giving.next(); !step.done; ) {
    step = giving.next(await connection.all(step.value.statement, step.value.params));
  }
}

async function appliedMigrations(connection: Connection): Promise<readonly string[]> {
  if ((await connection.get(known, {})) === null) return [];
  return (await connection.all(applied, {})).map(({ name }) => name);
}

/** Migrates the schema, one process at a time. */
async function migrateDatabase(connection: Connection): Promise<SchemaChange> {
  await connection.ask(BEGIN);
  try {
    // No call waits yet, and a large table takes longer than a call may.
    await connection.ask('set local lock_timeout = 0; set local statement_timeout = 0');
    await connection.ask(`select pg_advisory_xact_lock(${WRITER_LOCK})`);
    await connection.ask('create table if not exists migrations (name text primary key, applied_at bigint not null)');
    const names = await appliedMigrations(connection);
    const pending = pendingMigrations(names);
    for (const { name, text } of pending) {
      await connection.ask(text(COLUMN_TYPES));
      await connection.query(markApplied, { name });
    }
    if (pending.some(({ reindexes }) => reindexes)) await reindex(connection);
    if (pending.some(({ gives_keys }) => gives_keys)) await giveProjectsKeys(connection);
    await connection.ask('commit');
    return { is_new: names.length === 0, applied: pending.map(({ name }) => name) };
  } catch (error) {
    await connection.ask('rollback').catch(() => {});
    throw error;
  }
}

/** Checks that the schema is this program's, and migrates it if `opening` allows. */
export async function prepareDatabase(
  connection: Connection,
  place: string,
  { create, upgrade }: Opening,
): Promise<SchemaChange> {
  const names = await appliedMigrations(connection);
  const pending = pendingMigrations(names).map(({ name }) => name);
  const isNew = names.length === 0;
  if (upgrade || (isNew && create)) return await connection.patiently(() => migrateDatabase(connection));
  if (isNew) throw noData(place);
  if (pending.length > 0) throw schemaOutdated(place, pending);
  return { is_new: false, applied: [] };
}
