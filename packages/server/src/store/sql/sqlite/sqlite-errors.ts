import {
  alreadyExists,
  databaseAway,
  databaseBusy,
  databaseDamaged,
  referenceMissing,
} from '#store/sql/database-error';

const BUSY = 5;
const LOCKED = 6;
const PRIMARY_KEY_TAKEN = 1555;
const UNIQUE_TAKEN = 2067;
const FOREIGN_KEY_MISSING = 787;
// corrupt, notadb: the file holds what SQLite cannot read, now and later.
const DAMAGED: ReadonlySet<number> = new Set([11, 26]);
// A file is shorter than what was written to it.
const SHORT_READ = 522;
// nomem, readonly, ioerr, full, cantopen, protocol: the file cannot be used as it is now.
const UNUSABLE: ReadonlySet<number> = new Set([7, 8, 10, 13, 14, 15]);

// perm, readonly, cantopen: another folder would help.
const FILE_FAULTS: ReadonlySet<number> = new Set([3, 8, 14]);

function codeOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode : undefined;
}

// The low byte is the kind of the error. The rest adds detail.
const kindOf = (error: unknown): number => (codeOf(error) ?? 0) & 0xff;

export const isDamage = (error: unknown): error is Error =>
  error instanceof Error && (DAMAGED.has(kindOf(error)) || codeOf(error) === SHORT_READ);

/** True when SQLite could not open or write the file, rather than refuse a statement. */
export const isFileFault = (error: unknown): boolean => FILE_FAULTS.has(kindOf(error));

export const isBusy = (error: unknown): boolean => kindOf(error) === BUSY || kindOf(error) === LOCKED;

/** Translates a driver error to an error of Errand. An unknown error is returned unchanged. */
export function fromSqlite(error: unknown): unknown {
  if (error instanceof Error && 'code' in error && error.code === 'ERR_INVALID_STATE') return databaseAway(error);
  const code = codeOf(error);
  if (code === undefined) return error;
  if (code === PRIMARY_KEY_TAKEN || code === UNIQUE_TAKEN) return alreadyExists(error);
  if (code === FOREIGN_KEY_MISSING) return referenceMissing(error);
  if (isDamage(error)) return databaseDamaged(error);
  if (isBusy(error)) return databaseBusy(error);
  return UNUSABLE.has(kindOf(error)) ? databaseAway(error) : error;
}
