import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { say } from '#advice';
import { ErrandError } from '#errors';
import { pendingMigrations } from '#store/migrations/migrations';
import type { Opening, SchemaChange } from '#store/opening';
import { noData, restoreAdvice, schemaOutdated, unusable } from '#store/sql/database-error';
import { appliedMigrations, IN_MEMORY, migrateDatabase, openDatabase } from './open-database.ts';
import { isDamage, isFileFault } from './sqlite-errors.ts';

/** Files up to this size are checked whole: it takes a second or two, even from a cold disk. */
const MAX_CHECKED_BYTES = 256 * 1024 * 1024;
/** Tables that are small in every database, and needed by every call. */
const VITAL_TABLES = ['migrations', 'settings', 'workspaces', 'users', 'projects', 'agents', 'tokens'];

export interface CurrentDatabase {
  readonly db: DatabaseSync;
  readonly schema: SchemaChange;
}

const damaged = (path: string, words: string): ErrandError =>
  new ErrandError('database_damaged', `The database ${path} cannot be used, it is malformed: ${words}.`, {
    hint: restoreAdvice(path),
  });

/** Whether the file exists. Throws when it cannot be read or written, or is empty. */
export function isThere(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return false;
  accessSync(path, constants.R_OK | constants.W_OK);
  accessSync(dirname(path), constants.R_OK | constants.W_OK | constants.X_OK);
  if (found.isFile() && found.size === 0) {
    throw new ErrandError('database_damaged', `The database ${path} is empty: it has lost its content.`, {
      hint: `Put a backup in its place, or remove ${path} to begin anew.`,
    });
  }
  return true;
}

/** Of a large file only the most important tables are checked: reading all of it would delay every start. */
export function assertIntact(db: DatabaseSync, path: string): void {
  const isSmall = statSync(path).size <= MAX_CHECKED_BYTES;
  const tables = db.prepare("select name from sqlite_master where type = 'table'").all();
  const vital = VITAL_TABLES.filter((vital) => tables.some(({ name }) => name === vital));
  for (const part of isSmall ? ['1'] : vital) {
    const [first] = db.prepare(`pragma quick_check(${part})`).all();
    const words = String(first?.quick_check);
    if (words !== 'ok') throw damaged(path, words.replaceAll(/\s+/g, ' '));
  }
}

/** Fails unless the schema is this program's. */
export function unchanged(db: DatabaseSync, path: string): SchemaChange {
  const applied = appliedMigrations(db);
  const pending = pendingMigrations(applied);
  if (applied.length === 0) throw noData(path);
  if (pending.length > 0)
    throw schemaOutdated(
      path,
      pending.map(({ name }) => name),
    );
  return { is_new: false, applied: [] };
}

/** The error of the driver or system, in words for the person who starts the program. */
export function refusalOf(path: string, error: unknown): unknown {
  if (error instanceof ErrandError) return error;
  if (isDamage(error)) return damaged(path, error.message);
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (error instanceof Error && (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')) {
    return new ErrandError('unauthorized', `The database ${path} cannot be used: ${error.message}.`, {
      hint: say`Name a folder that you may read and write with --data or ${{ setting: 'ERRAND_DATA' }}.`,
      cause: error,
    });
  }
  // Our own refusals already say what to do, and another folder does not mend a statement that failed.
  const isFolder = isFileFault(error) || (error instanceof Error && 'syscall' in error);
  return unusable(
    path,
    error,
    isFolder ? say`Name a folder that you may write with --data or ${{ setting: 'ERRAND_DATA' }}.` : undefined,
  );
}

/** Opens the database with this program's schema. Throws an error that says why not. */
export function openCurrent(path: string, { create, upgrade, verify }: Opening): CurrentDatabase {
  let db: DatabaseSync | undefined;
  try {
    const isOnDisk = path !== IN_MEMORY;
    if (isOnDisk && !isThere(path) && !create) throw noData(path);
    db = openDatabase(path);
    if (isOnDisk && verify) assertIntact(db, path);
    const mayChange = upgrade || (create && appliedMigrations(db).length === 0);
    return { db, schema: mayChange ? migrateDatabase(db) : unchanged(db, path) };
  } catch (error) {
    db?.close();
    throw refusalOf(path, error);
  }
}
