import { pendingMigrations } from '#store/migrations/migrations';
import { databaseAway } from './database-error.ts';
import type { WriteSession } from './session.ts';
import { plainStatement } from './statement.ts';

const APPLIED = 'select name from migrations';
const REWRITE = 'update audit_head set seq = seq';

const applied = plainStatement<object, { readonly name: string }>(APPLIED);

// A lock alone would be given on a full disk too.
const rewrite = plainStatement<object, never>(REWRITE);

function expectSchema(names: readonly string[]): void {
  const missing = pendingMigrations(names)[0];
  if (missing !== undefined) throw new Error(`The database lacks the schema step ${missing.name}.`);
}

/** Fails unless the schema is the one this program was made for and can be written. */
export async function checkStore(session: WriteSession): Promise<void> {
  const rows = await session.all(applied, {});
  try {
    expectSchema(rows.map(({ name }) => name));
  } catch (error) {
    throw databaseAway(error);
  }
  await session.write(rewrite, {});
}
