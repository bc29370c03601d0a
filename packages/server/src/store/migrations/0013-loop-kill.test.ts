import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, inject, it } from 'vitest';
import { openPostgresStore } from '#store/sql/postgres/open-postgres-store';
import { migrateDatabase, openDatabase } from '#store/sql/sqlite/open-database';
import { anId } from '#store/testing/contract/fixture';
import { times } from '../../../../../test/e2e/counts.ts';
import { loop } from './0013-loop.ts';
import type { ColumnTypes } from './migration.ts';
import { OLD_ROWS, RELEASED } from './testing/before-keys.ts';

const POSTGRES: ColumnTypes = { dialect: 'postgres', text: 'text collate "C"', bigint: 'bigint' };

const statementsFor = (types: ColumnTypes): readonly string[] =>
  loop
    .text(types)
    .split(';')
    .filter((text) => text.trim() !== '');

const COUNT = statementsFor(POSTGRES).length;
/** A killed process takes half a second: a part of the places is enough in between. */
const EVERY = times({ whole: 1, part: 12 });
const PLACES = Array.from({ length: COUNT }, (_, at) => at + 1).filter((at) => at % EVERY === 0);

const KEYS = 'select id, key from projects order by id';
const NUMBERS = 'select id, number from work_items order by id';
const UPGRADED = [
  ['GAR', 'GAR2', 'ANN', null],
  [1, 2, 1],
];

/** Upgrades the file in a process that is killed after this many statements of the migration. */
function killedAfter(path: string, statements: number): NodeJS.Signals | null {
  const program = `
    const { migrateDatabase, openDatabase } = await import(${JSON.stringify(import.meta.resolve('#store/sql/sqlite/open-database'))});
    const { MIGRATIONS } = await import(${JSON.stringify(import.meta.resolve('./migrations.ts'))});
    const before = MIGRATIONS.filter(({ name }) => name < '0013');
    const loop = MIGRATIONS.find(({ name }) => name === '0013-loop');
    const cut = { name: loop.name, text: (types) => loop.text(types).split(';').slice(0, ${statements}).join(';') };
    const kill = { name: '9998-kill', text: () => process.kill(process.pid, 'SIGKILL') };
    migrateDatabase(openDatabase(${JSON.stringify(path)}), [...before, cut, kill]);`;
  return spawnSync(process.execPath, ['--conditions=errand-source', '--input-type=module', '--eval', program]).signal;
}

it('[L-KEY] upgrades a SQLite file after upgrades that were killed between any two statements', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'errand-migrate-'));
  const path = join(folder, 'errand.db');
  {
    using db = openDatabase(path);
    migrateDatabase(db, RELEASED);
    db.exec(OLD_ROWS);
  }

  const signals = PLACES.map((at) => killedAfter(path, at));

  using db = openDatabase(path);
  expect(signals).toEqual(PLACES.map(() => 'SIGKILL'));
  expect(() => db.exec(KEYS)).toThrow('no such column: key');
  migrateDatabase(db);
  const keys = db.prepare(KEYS).all();
  const numbers = db.prepare(NUMBERS).all();
  expect([keys.map(({ key }) => key), numbers.map(({ number }) => number)]).toEqual(UPGRADED);
  await rm(folder, { recursive: true });
});

it('[L-KEY] upgrades a PostgreSQL database after upgrades whose connection broke between any two statements', async () => {
  const server = inject('postgresUrl');
  const url = new URL(server);
  url.pathname = `/killed_${process.pid}_${anId().slice(-12)}`;
  const open = async (href: string): Promise<pg.Client> => {
    const client = new pg.Client(href);
    client.on('error', () => {});
    await client.connect();
    return client;
  };
  const admin = await open(server);
  await admin.query(`create database ${url.pathname.slice(1)}`);
  const client = await open(url.href);
  await client.query('create table migrations (name text primary key, applied_at bigint not null)');
  for (const { name, text } of RELEASED) {
    await client.query(text(POSTGRES));
    await client.query(`insert into migrations values ('${name}', 1)`);
  }
  await client.query(OLD_ROWS);

  for (let at = 1; at <= COUNT; at++) {
    const broken = await open(url.href);
    await broken.query(`begin; ${statementsFor(POSTGRES).slice(0, at).join(';')}`);
    const ended = new Promise((resolve) => broken.once('end', resolve));
    (broken as unknown as { connection: { stream: { destroy: () => void } } }).connection.stream.destroy();
    await ended;
  }
  await expect(client.query(KEYS)).rejects.toThrow('column "key" does not exist');
  const store = await openPostgresStore({ url: url.href, ids: anId });
  const keys = await client.query(KEYS);
  const numbers = await client.query(NUMBERS);

  expect([keys.rows.map(({ key }) => key), numbers.rows.map(({ number }) => Number(number))]).toEqual(UPGRADED);
  await store.close();
  await client.end();
  await admin.query(`drop database ${url.pathname.slice(1)} with (force)`);
  await admin.end();
});
