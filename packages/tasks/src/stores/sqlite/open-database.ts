import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { SCHEMA } from './statements.ts';

export const IN_MEMORY = ':memory:';

const OLDEST = [3, 51, 3] as const;
const OPENING_TIMEOUT_MS = 10_000;
const FULL = 2;

/** Refuses a SQLite whose log can lose or corrupt what was committed. */
export function assertSqliteVersion(version: string): void {
  const parts = version.split('.').map(Number);
  const differs = OLDEST.findIndex((part, i) => part !== parts[i]);
  if (differs !== -1 && (parts[differs] ?? 0) < (OLDEST[differs] ?? 0)) {
    throw new Error(`SQLite ${version} can corrupt its file; ${OLDEST.join('.')} or newer is needed. Update Node.js.`);
  }
}

/** Refuses a connection that would answer before a change is on the disk. */
export function assertDurable(db: DatabaseSync): void {
  const level = db.prepare('pragma synchronous').get()?.synchronous;
  if (level !== FULL) {
    throw new Error(`SQLite runs with synchronous=${level}, not FULL: a power cut would lose confirmed changes.`);
  }
}

// Not `recursive`: where a folder cannot be made at all, as below /proc, Node tries for ever.
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have been faster.
    if (!existsSync(folder)) throw error;
  }
}

/** A connection with the settings that the promises of the store rest on, and with the table there. */
export function openDatabase(path: string): DatabaseSync {
  const isFile = path !== IN_MEMORY;
  if (isFile) makeFolder(dirname(path));
  const isNew = isFile && !existsSync(path);
  const db = new DatabaseSync(path);
  try {
    if (isNew) chmodSync(path, 0o600);
    // Before anything else, even a question: without it, processes that open a new file at once fail each other.
    db.exec(`pragma busy_timeout = ${OPENING_TIMEOUT_MS}`);
    assertSqliteVersion(String(db.prepare('select sqlite_version() as version').get()?.version));
    db.exec('pragma journal_mode = wal');
    db.exec('pragma synchronous = full');
    assertDurable(db);
    db.exec(`begin immediate; ${SCHEMA} commit`);
    // From here on a busy lock is waited for without sitting in the driver.
    db.exec('pragma busy_timeout = 0');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
