import { randomUUID } from 'node:crypto';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { type Folder, type Place, temporaryFolder } from '../../e2e/program.ts';

export type Copy = Place & AsyncDisposable & { readonly sql: (statements: readonly string[]) => Promise<void> };

async function query(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

async function copyPostgres(url: string, folder: Folder): Promise<Copy> {
  const name = `copy_${randomUUID().replaceAll('-', '')}`;
  const [from, admin, to] = [new URL(url), new URL(url), new URL(url)];
  admin.pathname = '/postgres';
  to.pathname = `/${name}`;
  await query(admin.href, [`create database ${name} template ${from.pathname.slice(1)}`]);
  return {
    data: folder.path,
    database_url: to.href,
    sql: (statements) => query(to.href, statements),
    [Symbol.asyncDispose]: async () => {
      await query(admin.href, [`drop database ${name} with (force)`]);
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** Copies a database that no program has open. */
export async function copyOf({ data, database_url }: Place): Promise<Copy> {
  const folder = await temporaryFolder();
  if (database_url !== undefined) return copyPostgres(database_url, folder);
  await cp(data, folder.path, { recursive: true, filter: (path) => path === data || /errand\.db/.test(path) });
  return {
    data: folder.path,
    sql: async (statements) => {
      const file = new DatabaseSync(join(folder.path, 'errand.db'));
      for (const statement of statements) file.exec(statement);
      file.close();
    },
    [Symbol.asyncDispose]: folder[Symbol.asyncDispose],
  };
}
