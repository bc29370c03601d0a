import { ErrandError } from '#errors';

export const RETRY_AFTER_MS = 1000;

/**
 * Met at the start only: it says where the database is and what the driver said, which no caller of a running server
 * may see.
 */
export function unusable(place: string, error: unknown, hint?: string): ErrandError {
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

export const alreadyExists = (cause: unknown): ErrandError =>
  new ErrandError('conflict', 'This already exists. Read it again before you change it.', { cause });

export const referenceMissing = (cause: unknown): ErrandError =>
  new ErrandError('conflict', 'Something this refers to does not exist any more. Read it again, then retry.', {
    cause,
  });

export const staleVersion = (): ErrandError =>
  new ErrandError('conflict', 'It was changed or deleted in the meantime. Read it again, then retry.');

export const isDatabaseError = (error: unknown): error is ErrandError =>
  error instanceof ErrandError && error.code === 'database_error';
