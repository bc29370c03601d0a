import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { openPostgresStore } from '../../packages/server/src/store/sql/postgres/open-postgres-store.ts';

export type Row = Readonly<Record<string, unknown>>;

/** Access to the stored rows from outside of the program. */
export interface Database extends AsyncDisposable {
  /** Runs a query, with `?` for parameters. */
  readonly rows: (sql: string, parameters?: readonly unknown[]) => Promise<readonly Row[]>;
}

export function sqliteDatabase(data: string): Database {
  const file = new DatabaseSync(join(data, 'errand.db'), { readOnly: true });
  return {
    rows: async (sql, parameters = []) =>
      file
        .prepare(sql)
        .all(...(parameters as (string | number | null)[]))
        .map((row) => ({ ...row })),
    [Symbol.asyncDispose]: async () => file.close(),
  };
}

/** Gives audit entries and events their place. Otherwise a server that was killed may have left them in the outbox. */
async function moveOutbox(url: string): Promise<void> {
  const store = await openPostgresStore({ url, ids: <Id extends string>() => randomUUID() as Id });
  await store.reads.audit.head();
  await store.close();
}

export function postgresDatabase(url: string): Database {
  // Counts and times are bigint columns, which pg returns as text by default.
  const types = {
    getTypeParser: ((oid: number, format?: 'text') =>
      oid === 20 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
  };
  const pool = new pg.Pool({ connectionString: url, max: 2, types });
  pool.on('error', () => {});
  return {
    rows: async (sql, parameters = []) => {
      const isTrail = /\b(trail|events)\b/.test(sql);
      if (isTrail && (await pool.query('select 1 from outbox limit 1')).rows.length > 0) await moveOutbox(url);
      let index = 0;
      const numbered = sql.replaceAll('?', () => `$${++index}`);
      return (await pool.query(numbered, [...parameters])).rows as Row[];
    },
    [Symbol.asyncDispose]: () => pool.end(),
  };
}

/** The messages of all users, for `from`: a call is one row with two of them. Sort by `id`, then by `role` backwards. */
export const MESSAGES = `(
  select c.user_id, c.id as conversation, e.id, 'user' as role, e.request as content
  from exchanges e join conversations c on c.number = e.conversation
  union all
  select c.user_id, c.id as conversation, e.id, 'assistant' as role, e.answer as content
  from exchanges e join conversations c on c.number = e.conversation) as messages`;

/** Creates a new database on the running PostgreSQL. */
export async function freshPostgres(base: string): Promise<string> {
  const name = `e2e_${randomUUID().replaceAll('-', '')}`;
  const client = new pg.Client({ connectionString: base });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const url = new URL(base);
  url.pathname = `/${name}`;
  return url.href;
}

/** Hashes all data that a refused request must not change. */
export async function digest(database: Database): Promise<string> {
  const tables = ['work_items', 'answers', 'users', 'tokens', 'projects'];
  const dumps = tables.map(async (table) => [table, await database.rows(`select * from ${table} order by 1, 2`)]);
  return JSON.stringify(await Promise.all(dumps));
}
