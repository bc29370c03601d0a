import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import type { Migration } from '#store/migrations/migration';
import { MIGRATIONS } from '#store/migrations/migrations';
import { assertDurable, assertSqliteVersion, migrateDatabase, openDatabase } from './open-database.ts';

const tables = (db: DatabaseSync): number =>
  Number(db.prepare("select count(*) as n from sqlite_master where type = 'table'").get()?.n);

it('asserts that a commit reaches the disk', () => {
  using db = openDatabase(':memory:');
  expect(() => assertDurable(db)).not.toThrow();

  db.exec('pragma synchronous = normal');

  expect(() => assertDurable(db)).toThrow('not FULL');
});

it.each(['3.51.2', '3.45.1', '2.99.99', '3.9.9'])('refuses SQLite %s', (version) => {
  expect(() => assertSqliteVersion(version)).toThrow('Update Node.js');
});

it.each(['3.51.3', '3.53.4', '3.100.0', '4.0.0'])('takes SQLite %s', (version) => {
  expect(() => assertSqliteVersion(version)).not.toThrow();
});

it('refuses a database that is newer than the program', () => {
  using db = openDatabase(':memory:');
  migrateDatabase(db);
  db.exec("insert into migrations (name, applied_at) values ('9999-from-the-future', 1)");

  expect(() => migrateDatabase(db)).toThrow('newer than this program: it has the schema step 9999-from-the-future');
});

it('applies a step once', () => {
  using db = openDatabase(':memory:');

  migrateDatabase(db);
  const before = tables(db);
  migrateDatabase(db);

  expect(tables(db)).toBe(before);
});

it('leaves nothing of steps that fail halfway', () => {
  using db = openDatabase(':memory:');
  const broken: Migration = { name: '9998-broken', text: () => 'create table a (id text); create table;' };

  expect(() => migrateDatabase(db, [...MIGRATIONS, broken])).toThrow('syntax error');

  expect(tables(db)).toBe(0);
  expect(db.isTransaction).toBe(false);
});

it('survives being killed between the steps', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'errand-migrate-'));
  const path = join(folder, 'errand.db');
  const program = `
    const { migrateDatabase, openDatabase } = await import(${JSON.stringify(import.meta.resolve('./open-database.ts'))});
    const { MIGRATIONS } = await import(${JSON.stringify(import.meta.resolve('#store/migrations/migrations'))});
    const kill = { name: '9998-kill', text: () => process.kill(process.pid, 'SIGKILL') };
    migrateDatabase(openDatabase(${JSON.stringify(path)}), [...MIGRATIONS, kill]);`;

  const { signal } = spawnSync(process.execPath, [
    '--conditions=errand-source',
    '--input-type=module',
    '--eval',
    program,
  ]);
  expect(signal).toBe('SIGKILL');

  {
    using db = new DatabaseSync(path);
    expect(tables(db)).toBe(0);
    migrateDatabase(db);
    expect(tables(db)).toBeGreaterThan(10);
  }
  await rm(folder, { recursive: true });
});
