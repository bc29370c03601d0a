import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { createFile } from '@errand/tasks/sqlite/create-file';
import type { ColumnTypes, Migration } from '#store/migrations/migration';
import { pendingMigrations } from '#store/migrations/migrations';
import type { SchemaChange } from '#store/opening';
import { giveAllKeys } from '#store/sql/repositories/project-keys';
import { type Indexed, REINDEX } from '#store/sql/repositories/search-entries';
import { createPrepared } from './sqlite-session.ts';

export const IN_MEMORY = ':memory:';

const OLDEST = '3.51.3';
const FULL = 2;
const OPENING_TIMEOUT_MS = 10_000;
const COLUMN_TYPES: ColumnTypes = { dialect: 'sqlite', text: 'text', bigint: 'integer' };

function isOlder(version: string, than: string): boolean {
  const [left, right] = [version, than].map((text) => text.split('.').map(Number));
  const at = (right ?? []).findIndex((part, i) => part !== left?.[i]);
  return at !== -1 && (left?.[at] ?? 0) < (right?.[at] ?? 0);
}

/** Refuses a SQLite version whose WAL can lose or corrupt commits. */
export function assertSqliteVersion(version: string): void {
  if (isOlder(version, OLDEST)) {
    throw new Error(`SQLite ${version} can corrupt its file; Errand needs ${OLDEST} or newer. Update Node.js.`);
  }
}

/** Refuses a connection that confirms a commit before it is on disk. */
export function assertDurable(db: DatabaseSync): void {
  const level = db.prepare('pragma synchronous').get()?.synchronous;
  if (level !== FULL) {
    throw new Error(`SQLite runs with synchronous=${level}, not FULL: a power cut would lose confirmed changes.`);
  }
}

/** Opens a connection with the settings that the store's promises need. */
export function openDatabase(path: string): DatabaseSync {
  if (path !== IN_MEMORY && !existsSync(path)) createFile(path);
  const db = new DatabaseSync(path);
  try {
    // Set first: without it, processes that open a new file at the same time make each other fail.
    db.exec(`pragma busy_timeout = ${OPENING_TIMEOUT_MS}`);
    assertSqliteVersion(String(db.prepare('select sqlite_version() as version').get()?.version));
    db.exec('pragma journal_mode = wal');
    db.exec('pragma synchronous = full');
    assertDurable(db);
    db.exec('pragma foreign_keys = on');
    db.exec('pragma cache_size = -16000');
    // Checkpoint early: on a small disk the log would otherwise take the space that the checkpoint needs.
    db.exec('pragma wal_autocheckpoint = 250');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

// No await while the lock is held: another opening in this process would block in the driver.
function reindex(db: DatabaseSync): void {
  const prepared = createPrepared(db);
  const [page, write] = [prepared(REINDEX.page), prepared(REINDEX.write)];
  for (let after = ''; ; ) {
    // The driver has no row types. The statement's own type describes what its query selects.
    const rows = page.statement.all(...page.bind({ after })).map(page.toRow) as never as readonly Indexed[];
    for (const row of rows) write.statement.run(...write.bind(REINDEX.toEntry(row)));
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

function giveProjectsKeys(db: DatabaseSync): void {
  const prepared = createPrepared(db);
  const giving = giveAllKeys();
  for (let step = giving.next(); !step.done; ) {
    const { statement, bind, toRow } = prepared(step.value.statement);
    step = giving.next(statement.all(...bind(step.value.params)).map(toRow));
  }
}

/** The applied migrations; none for a file without tables. */
export function appliedMigrations(db: DatabaseSync): readonly string[] {
  const known = db.prepare("select 1 from sqlite_master where type = 'table' and name = 'migrations'").get();
  return known === undefined
    ? []
    : db
        .prepare('select name from migrations')
        .all()
        .map((row) => String(row.name));
}

/** Migrates the schema, one process at a time. */
export function migrateDatabase(db: DatabaseSync, migrations?: readonly Migration[]): SchemaChange {
  db.exec('begin immediate');
  try {
    db.exec('create table if not exists migrations (name text primary key, applied_at integer not null)');
    const names = appliedMigrations(db);
    const done = db.prepare("insert into migrations (name, applied_at) values (?, unixepoch('subsec') * 1000)");
    const pending = pendingMigrations(names, migrations);
    for (const { name, text } of pending) {
      db.exec(text(COLUMN_TYPES));
      done.run(name);
    }
    if (pending.some(({ reindexes }) => reindexes)) reindex(db);
    if (pending.some(({ gives_keys }) => gives_keys)) giveProjectsKeys(db);
    db.exec('commit');
    return { is_new: names.length === 0, applied: pending.map(({ name }) => name) };
  } catch (error) {
    if (db.isTransaction) db.exec('rollback');
    throw error;
  }
}
