import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { createFile } from './create-file.ts';
import { SCHEMA } from './statements.ts';

export const IN_MEMORY = ':memory:';

const OLDEST = [3, 51, 3] as const;
const OPENING_TIMEOUT_MS = 10_000;
const FULL = 2;

/** Refuses a SQLite version whose log can lose or corrupt commits. */
export function assertSqliteVersion(version: string): void {
  const parts = version.split('.').map(Number);
  const differs = OLDEST.findIndex((part, i) => part !== parts[i]);
  if (differs !== -1 && (parts[differs] ?? 0) < (OLDEST[differs] ?? 0)) {
    throw new Error(`SQLite ${version} can corrupt its file; ${OLDEST.join('.')} or newer is needed. Update Node.js.`);
  }
}

/** Refuses a connection that confirms a commit before it is on disk. */
export function assertDurable(db: DatabaseSync): void {
  const level = db.prepare('pragma synchronous').get()?.synchronous;
  if (level !== FULL) {
    throw new Error(`SQLite runs with synchronous=${level}, not FULL: a power cut would lose confirmed changes.`);
  }
}

/** Opens a connection with the settings that the store's promises need, and creates the table. */
export function openDatabase(path: string): DatabaseSync {
  if (path !== IN_MEMORY && !existsSync(path)) createFile(path);
  const db = new DatabaseSync(path);
  try {
    // Set before any query: without it, processes that open a new file at the same time make each other fail.
    db.exec(`pragma busy_timeout = ${OPENING_TIMEOUT_MS}`);
    assertSqliteVersion(String(db.prepare('select sqlite_version() as version').get()?.version));
    db.exec('pragma journal_mode = wal');
    db.exec('pragma synchronous = full');
    assertDurable(db);
    db.exec(`begin immediate; ${SCHEMA} commit`);
    // From here on the driver does not wait for a busy lock: that would block the whole process.
    db.exec('pragma busy_timeout = 0');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
