import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { inject } from 'vitest';
import type { Migration } from '#store/migrations/migration';
import { openPostgresStore } from '#store/sql/postgres/open-postgres-store';
import { migrateDatabase, openDatabase } from '#store/sql/sqlite/open-database';
import { openSqliteStore } from '#store/sql/sqlite/open-sqlite-store';
import { createSqliteSession } from '#store/sql/sqlite/sqlite-session';
import { statement } from '#store/sql/statement';
import type { Store } from '#store/store';
import { anId } from '#store/testing/contract/fixture';

/** A database of an earlier release after its upgrade by this program. */
export interface Upgraded extends AsyncDisposable {
  readonly store: Store;
  /** Writes as another program does. */
  readonly write: (text: string) => Promise<void>;
  /** The query results of a program that was connected before the upgrade and still is. */
  readonly askAgain: () => Promise<readonly unknown[]>;
}

interface Old {
  readonly released: readonly Migration[];
  readonly rows: string;
  /** Statements that a program has prepared before the upgrade. */
  readonly questions: readonly string[];
}

async function onSqlite({ released, rows, questions }: Old): Promise<Upgraded> {
  const folder = await mkdtemp(join(tmpdir(), 'errand-upgrade-'));
  const path = join(folder, 'errand.db');
  {
    using db = openDatabase(path);
    migrateDatabase(db, released);
    db.exec(rows);
  }
  const old = openDatabase(path);
  const session = createSqliteSession(old);
  const statements = questions.map((text) => statement<object, unknown>(text));
  const askAgain = () => Promise.all(statements.map((statement) => session.all(statement, {})));
  await askAgain();
  const store = await openSqliteStore({ path, clock: Date.now, ids: anId });
  return {
    store,
    write: async (text) => {
      using db = new DatabaseSync(path);
      db.exec(text);
    },
    askAgain,
    [Symbol.asyncDispose]: async () => {
      await store.close();
      old.close();
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

async function onPostgres({ released, rows, questions }: Old): Promise<Upgraded> {
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
  const old = new pg.Client(url.href);
  await old.connect();
  const askAgain = () =>
    Promise.all(questions.map(async (text, i) => (await old.query({ name: `question_${i}`, text })).rows));
  await askAgain();
  const store = await openPostgresStore({ url: url.href, ids: anId });
  return {
    store,
    write: (text) => ask(url.href, text),
    askAgain,
    [Symbol.asyncDispose]: async () => {
      await store.close();
      await old.end();
      await ask(server, `drop database ${name} with (force)`);
    },
  };
}

/** For each database, the way to upgrade one that has these steps and these rows. */
export const upgradesFrom = (released: readonly Migration[], rows: string, questions: readonly string[] = []) =>
  [
    ['SQLite', () => onSqlite({ released, rows, questions })],
    ['PostgreSQL', () => onPostgres({ released, rows, questions })],
  ] as const;
