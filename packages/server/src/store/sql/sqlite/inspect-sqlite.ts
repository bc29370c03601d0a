import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { noData } from '#store/sql/database-error';
import { createReads } from '#store/sql/transaction';
import type { Reads } from '#store/store';
import { assertIntact, isThere, refusalOf, unchanged } from './open-current.ts';
import { createSqliteSession } from './sqlite-session.ts';
import { readMark } from './steady-clock.ts';

/** A database that is looked at and not changed. */
export interface Inspected extends Disposable {
  readonly reads: Reads;
  /** The latest time of a change; 0 when none was recorded. */
  readonly latest: number;
}

/**
 * Opens a file so that nothing is written beside it. A file without a log needs no locks; with a log, its two files must be
 * there already. Null when only one is: the next process that writes recovers it, and until then it cannot be read.
 */
function openWithout(path: string): DatabaseSync | null {
  const [hasLog, hasIndex] = [existsSync(`${path}-wal`), existsSync(`${path}-shm`)];
  if (hasLog !== hasIndex) return null;
  if (hasLog) return new DatabaseSync(path, { readOnly: true });
  const url = pathToFileURL(path);
  url.searchParams.set('immutable', '1');
  return new DatabaseSync(url, { readOnly: true });
}

/** Looks at a database: is it there, whole, and of this program's schema? Throws in words why not; null when it needs recovery. */
export function inspectSqlite(path: string, clock: () => number): Inspected | null {
  let db: DatabaseSync | null = null;
  try {
    if (!isThere(path)) throw noData(path);
    db = openWithout(path);
    if (db === null) return null;
    assertIntact(db, path);
    unchanged(db, path);
    const open = db;
    return {
      reads: createReads(createSqliteSession(open), clock),
      latest: readMark(open),
      [Symbol.dispose]: () => open.close(),
    };
  } catch (error) {
    db?.close();
    throw refusalOf(path, error);
  }
}
