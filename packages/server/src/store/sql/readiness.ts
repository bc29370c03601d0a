import { randomUUID } from 'node:crypto';
import { pendingMigrations } from '#store/migrations/migrations';
import { databaseAway } from './database-error.ts';
import type { WriteSession } from './session.ts';
import { statement } from './statement.ts';

/** The schema steps that the database has. */
export const applied = statement<object, { readonly name: string }>('select name from migrations');

// Writes a different value each time: on a full disk the lock still succeeds, and an unchanged row is not written.
const rewrite = statement<{ readonly value: string }, never>(`
  insert into settings (name, value) values ('last_check', :value)
  on conflict (name) do update set value = excluded.value`);

function expectSchema(names: readonly string[]): void {
  const missing = pendingMigrations(names)[0];
  if (missing !== undefined) throw new Error(`The database lacks the schema step ${missing.name}.`);
}

/** Fails unless the database has this program's schema and can be written. */
export async function checkStore(session: WriteSession): Promise<void> {
  const rows = await session.all(applied, {});
  try {
    expectSchema(rows.map(({ name }) => name));
  } catch (error) {
    throw databaseAway(error);
  }
  // Any new value will do. Nothing refers to it, so it need not come from the id generator.
  await session.write(rewrite, { value: randomUUID() });
}
