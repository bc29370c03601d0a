import { dirname } from 'node:path';
import { say, type Words } from '#advice';
import { ErrandError, isDatabaseError } from '#errors';

export const RETRY_AFTER_MS = 1000;

/**
 * Thrown at the start only: it names the database and the driver's message, which no caller of a running server
 * may see.
 */
export function unusable(place: string, error: unknown, hint?: Words): ErrandError {
  const reason = isDatabaseError(error) && error.cause instanceof Error ? error.cause : error;
  const words = reason instanceof Error ? reason.message || reason.name : String(reason);
  return new ErrandError(
    isDatabaseError(error) ? 'database_error' : 'validation_error',
    `The database ${place} cannot be used: ${words}`,
    { cause: error, ...(hint !== undefined && { hint }) },
  );
}

export const databaseAway = (cause: unknown, retry_after_ms = RETRY_AFTER_MS): ErrandError =>
  new ErrandError('database_error', 'The database is not reachable. Nothing is lost: wait a moment and try again.', {
    retry_after_ms,
    cause,
  });

export const outcomeUnknown = (cause: unknown): ErrandError =>
  new ErrandError(
    'database_error',
    'The database did not confirm the change. Try again with the same idempotency key: it takes effect once.',
    { retry_after_ms: RETRY_AFTER_MS, cause },
  );

export const databaseBusy = (cause: unknown): ErrandError =>
  new ErrandError('database_error', 'The database is busy with other writers. Wait a moment and try again.', {
    retry_after_ms: RETRY_AFTER_MS,
    cause,
  });

export const databaseDamaged = (cause: unknown): ErrandError =>
  new ErrandError(
    'database_damaged',
    'The database is damaged (malformed). Nothing can be changed until it is restored; trying again does not help.',
    {
      hint: 'The person who runs this server must stop it and restore the database from a backup; its log names the file.',
      cause,
    },
  );

export const databaseReplaced = (cause: unknown): ErrandError =>
  new ErrandError(
    'database_replaced',
    'The file of the database was removed, moved or replaced while it was in use. Changes are refused, since they would be lost.',
    {
      hint: 'The person who runs this server must put the file back, or start the server again; its log names the file.',
      cause,
    },
  );

/** What the operator does about a damaged file. */
export const restoreAdvice = (path: string): string =>
  `Stop everything that uses it and copy the folder ${dirname(path)} aside. Then put a backup in the place of ${path}, without ${path}-wal and ${path}-shm.`;

/** There is no database, and this command does not create one. */
export const noData = (place: string): ErrandError =>
  new ErrandError('not_found', `There is no data at ${place}.`, {
    hint: say`Name the folder with --data or ${{ setting: 'ERRAND_DATA' }}; ${{ command: 'serve' }} makes a new one.`,
  });

/** The schema is older than this program, and this command does not migrate. */
export const schemaOutdated = (place: string, missing: readonly string[]): ErrandError =>
  new ErrandError('schema_outdated', `The database ${place} is of an older version: it lacks ${missing.join(', ')}.`, {
    hint: say`Stop older servers that use it, then run ${{ command: 'migrate' }}.`,
  });

export const alreadyExists = (cause: unknown): ErrandError =>
  new ErrandError('conflict', 'This already exists. Read it again before you change it.', { cause });

/** Another call has stored its answer under this key. One that asks again finds that answer. */
export class KeyInUse extends ErrandError {
  constructor() {
    super('conflict', 'This idempotency key is in use. Use a new key for a new call.');
  }
}

export const referenceMissing = (cause: unknown): ErrandError =>
  new ErrandError('conflict', 'Something this refers to does not exist any more. Read it again, then retry.', {
    cause,
  });

export const staleVersion = (): ErrandError =>
  new ErrandError('conflict', 'It was changed or deleted in the meantime. Read it again, then retry.');
