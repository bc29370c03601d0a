import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { inject } from 'vitest';
import { anId } from '#store/contract/fixture';
import { openPostgresStore } from '#store/sql/postgres/open-postgres-store';
import { migrateDatabase, openDatabase } from '#store/sql/sqlite/open-database';
import { openSqliteStore } from '#store/sql/sqlite/open-sqlite-store';
import type { Store } from '#store/store';
import type { Migration } from './migration.ts';

/** What this program made of a database that an earlier release left. */
export interface Upgraded extends AsyncDisposable {
  readonly store: Store;
  /** Writes as another program does. */
  readonly write: (text: string) => Promise<void>;
}

async function onSqlite(released: readonly Migration[], rows: string): Promise<Upgraded> {
  const folder = await mkdtemp(join(tmpdir(), 'errand-upgrade-'));
  const path = join(folder, 'errand.db');
  {
    using db = openDatabase(path);
    migrateDatabase(db, released);
    db.exec(rows);
  }
  const store = await openSqliteStore({ path, clock: Date.now, ids: anId });
  return {
    store,
    write: async (text) => {
      using db = new DatabaseSync(path);
      db.exec(text);
    },
    [Symbol.asyncDispose]: async () => {
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
}

async function ask(url: string, ...texts: readonly string[]): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  for (const text of texts) await client.query(text);
  await client.end();
}

async function onPostgres(released: readonly Migration[], rows: string): Promise<Upgraded> {
  const server = inject('postgresUrl');
  const name = `upgrade_${process.pid}_${anId().slice(-12)}`;
  const url = new URL(server);
  url.pathname = `/${name}`;
  await ask(server, `create database ${name}`);
  await ask(
    url.href,
    'create table migrations (name text primary key, applied_at bigint not null)',
    ...released.map(({ text }) => text({ dialect: 'postgres', text: 'text collate "C"', bigint: 'bigint' })),
    ...released.map((migration) => `insert into migrations values ('${migration.name}', 1)`),
    rows,
  );
  const store = await openPostgresStore({ url: url.href, ids: anId });
  return {
    store,
    write: (text) => ask(url.href, text),
    [Symbol.asyncDispose]: async () => {
      await store.close();
      await ask(server, `drop database ${name} with (force)`);
    },
  };
}

/** For each database, the way to upgrade one that has these steps and these rows. */
export const upgradesFrom = (released: readonly Migration[], rows: string) =>
  [
    ['SQLite', () => onSqlite(released, rows)],
    ['PostgreSQL', () => onPostgres(released, rows)],
  ] as const;
