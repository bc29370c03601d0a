import type { ColumnTypes } from '#store/migrations/migration';
import { pendingMigrations } from '#store/migrations/migrations';
import { REINDEX } from '#store/sql/repositories/search-entries';
import { plainStatement } from '#store/sql/statement';
import type { Connection } from './connection.ts';
import { BEGIN, WRITER_LOCK } from './postgres-writer.ts';

const COLUMN_TYPES: ColumnTypes = { dialect: 'postgres', text: 'text collate "C"', bigint: 'bigint' };

const unsafeSettings = plainStatement<object, { readonly name: string }>({
  postgres: `select name from pg_settings where name in ('fsync', 'synchronous_commit') and setting = 'off'`,
});

const applied = plainStatement<object, { readonly name: string }>({
  postgres: 'select name from migrations',
});

const markApplied = plainStatement<{ readonly name: string }, never>({
  postgres: `insert into migrations (name, applied_at) values (:name, (extract(epoch from clock_timestamp()) * 1000)::bigint)`,
});

/** Refuses a server that would answer before a change is on the disk. */
export async function assertDurable(connection: Connection): Promise<void> {
  const unsafe = await connection.get(unsafeSettings, {});
  if (unsafe !== null) {
    throw new Error(`PostgreSQL runs with ${unsafe.name}=off: a power cut would lose confirmed changes. Turn it on.`);
  }
}

async function reindex(connection: Connection): Promise<void> {
  for (let after = ''; ; ) {
    const rows = await connection.all(REINDEX.page, { after });
    await Promise.all(rows.map((row) => connection.query(REINDEX.write, REINDEX.toEntry(row))));
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

/** Brings the schema up to date, one process at a time. */
export async function migrateDatabase(connection: Connection): Promise<void> {
  await connection.ask(BEGIN);
  try {
    await connection.ask(`select pg_advisory_xact_lock(${WRITER_LOCK})`);
    await connection.ask('create table if not exists migrations (name text primary key, applied_at bigint not null)');
    const rows = await connection.all(applied, {});
    const pending = pendingMigrations(rows.map((row) => row.name));
    for (const { name, text } of pending) {
      await connection.ask(text(COLUMN_TYPES));
      await connection.query(markApplied, { name });
    }
    if (pending.some(({ reindexes }) => reindexes)) await reindex(connection);
    await connection.ask('commit');
  } catch (error) {
    await connection.ask('rollback').catch(() => {});
    throw error;
  }
}
