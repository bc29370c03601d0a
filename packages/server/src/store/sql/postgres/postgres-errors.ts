import { isDatabaseError } from '#errors';
import { alreadyExists, databaseAway, databaseBusy, referenceMissing } from '#store/sql/database-error';

const UNIQUE_TAKEN = '23505';
const FOREIGN_KEY_MISSING = '23503';
const LOCK_NOT_GIVEN = '55P03';
const READ_ONLY = '25006';
const DEADLOCK = '40P01';
const DIVISION_BY_ZERO = '22012';
/** This process was suspended inside a transaction, or got no core for seconds, and its connection was ended. */
const IDLE_TOO_LONG = '25P03';
// A standby, a conflict or a deadlock with another client: the same call may succeed later.
const PASSING: ReadonlySet<string> = new Set([READ_ONLY, '40001', DEADLOCK, IDLE_TOO_LONG]);
// Classes of connection, resources, operator intervention, system, configuration, internal: the server cannot work now.
const UNUSABLE: ReadonlySet<string> = new Set(['08', '53', '57', '58', 'F0', 'XX']);

function sqlStateOf(error: Error): string | undefined {
  return 'code' in error && typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code) ? error.code : undefined;
}

/** Translates a driver error to an error of Errand. An unknown error is returned unchanged. */
export function fromPostgres(error: unknown): unknown {
  if (!(error instanceof Error) || isDatabaseError(error)) return error;
  const state = sqlStateOf(error);
  // An error that did not come from the server is about the connection: refused, reset, timed out, ended.
  if (state === undefined) return databaseAway(error);
  if (state === UNIQUE_TAKEN) return alreadyExists(error);
  if (state === FOREIGN_KEY_MISSING) return referenceMissing(error);
  if (state === LOCK_NOT_GIVEN) return databaseBusy(error);
  return PASSING.has(state) || UNUSABLE.has(state.slice(0, 2)) ? databaseAway(error) : error;
}

/** Whether the server ended the transaction because of a deadlock: it and another one waited for each other. */
export const isDeadlock = (error: unknown): boolean =>
  error instanceof Error && error.cause instanceof Error && sqlStateOf(error.cause) === DEADLOCK;

/** Whether a statement has refused what it was to write: fewer rows than were given. */
export const isRefusal = (error: unknown): boolean => error instanceof Error && sqlStateOf(error) === DIVISION_BY_ZERO;

/** Whether the server refused a write because it is read-only. */
export const isReadOnly = (error: unknown): boolean =>
  error instanceof Error && error.cause instanceof Error && sqlStateOf(error.cause) === READ_ONLY;
