import { type Database, databaseName } from '#config';
import { type ErrandError, isDatabaseError } from '#errors';
import type { Log } from '#observability/log';
import type { SchemaChange } from '#store/opening';
import { restoreAdvice } from '#store/sql/database-error';
import type { OnHealth } from '#store/sql/health';

/** Says why the database fails and what to do, for the operator. Remote callers never see it. */
export function healthLine(database: Database, error: ErrandError): string {
  const name = databaseName(database);
  const reason = (error.cause instanceof Error ? error.cause.message : error.message).replace(/\.$/, '');
  if (error.code === 'database_damaged') return `The database ${name} is malformed: ${reason}. ${restoreAdvice(name)}`;
  if (error.code === 'database_replaced') {
    return `The database ${name} is not the one that was opened: ${reason}. Changes are refused. Put its files back, or start again to use what is there now.`;
  }
  return `The database ${name} cannot be used: ${reason}.`;
}

/** Logs once that the database fails, and once that it works again. */
export const logHealth =
  (log: Log, database: Database): OnHealth =>
  (error) => {
    if (error === null) return log.info('The database works again.');
    log.error(healthLine(database, error), { code: error.code });
  };

/** Logs failures outside of calls. Failures of the database are reported by the store. */
export const reporter =
  (log: Log, message: string) =>
  (error: unknown): void => {
    if (!isDatabaseError(error)) log.error(message, { error });
  };

/** Describes in one line how opening changed the database; null when it did not. */
export function schemaLine(database: Database, { is_new, applied }: SchemaChange): string | null {
  if (is_new) return `New data at ${databaseName(database)}.`;
  if (applied.length === 0) return null;
  return `Brought ${databaseName(database)} up to date: ${applied.join(', ')}.`;
}
