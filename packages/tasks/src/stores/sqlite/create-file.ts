import { randomUUID } from 'node:crypto';
import { chmodSync, constants, copyFileSync, existsSync, linkSync, mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

// Not `recursive`: where a folder cannot be created at all, as below /proc, Node retries for ever.
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it first.
    if (!existsSync(folder)) throw error;
  }
}

const isTaken = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EEXIST';

/** Gives the finished file its name, unless another process has done so first. */
function publish(draft: string, path: string): void {
  try {
    linkSync(draft, path);
  } catch (error) {
    if (isTaken(error)) return;
    // A file system without hard links.
    copyFileSync(draft, path, constants.COPYFILE_EXCL);
  }
}

/**
 * Creates an empty database that only its owner can read. It gets its name when it is complete, so an empty file
 * is never a database that is being created. Its log is a write-ahead log from the start: processes that change the
 * log of one file at the same time make each other fail, since SQLite gives up where waiting would be a deadlock.
 */
export function createFile(path: string): void {
  makeFolder(dirname(path));
  // Keeps the drafts of two processes apart.
  const draft = `${path}-${randomUUID()}.new`;
  try {
    using db = new DatabaseSync(draft);
    chmodSync(draft, 0o600);
    db.exec('pragma journal_mode = wal');
    db.close();
    publish(draft, path);
  } catch (error) {
    if (!isTaken(error)) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}
