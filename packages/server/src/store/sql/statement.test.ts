import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { AS_OWNER } from '#store/opening';
import { anId } from '#store/testing/contract/fixture';
import type { Dialect } from './dialect.ts';
import { openPostgresStore } from './postgres/open-postgres-store.ts';
import { openCurrent } from './sqlite/open-current.ts';
import { STATEMENTS, statement, together } from './statement.ts';

const textsFor = (dialect: Dialect): readonly string[] =>
  STATEMENTS.filter(({ only }) => only === undefined || only === dialect).map((one) => one.compile(dialect).text);

async function problemsOf(texts: readonly string[], prepare: (text: string) => unknown): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const text of texts) {
    try {
      await prepare(text);
    } catch (error) {
      problems.push(`${String(error)}: ${text}`);
    }
  }
  return problems;
}

describe('every statement of the store', () => {
  beforeAll(async () => {
    const files = await readdir(join(import.meta.dirname, 'repositories'));
    for (const file of files.filter((name) => !name.endsWith('.test.ts'))) {
      await import(`./repositories/${file.slice(0, -'.ts'.length)}.ts`);
    }
    expect(STATEMENTS.length).toBeGreaterThan(100);
  });

  it('names tables and columns that SQLite has', async () => {
    const { db } = openCurrent(':memory:', AS_OWNER);

    const problems = await problemsOf(textsFor('sqlite'), (text) => db.prepare(text));

    db.close();
    expect(problems).toEqual([]);
  });

  it('names tables and columns that PostgreSQL has, with parameters of known types', async () => {
    const server = inject('postgresUrl');
    const name = `statements_${process.pid}_${anId().slice(-12)}`;
    const admin = new pg.Client(server);
    await admin.connect();
    await admin.query(`create database ${name}`);
    const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
    await (await openPostgresStore({ url, ids: anId })).close();
    const client = new pg.Client(url);
    await client.connect();

    const problems = await problemsOf(textsFor('postgres'), async (text) => {
      await client.query(`prepare checked as ${text}`);
      await client.query('deallocate checked');
    });

    await client.end();
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
    expect(problems).toEqual([]);
  });
});

describe('a statement', () => {
  it('puts parameters where their names are, also several times', () => {
    const one = statement<{ a: string; b: number }, never>('select :a, :b, :a::text');

    expect(one.compile('sqlite').text).toBe('select ?, ?, ?::text');
    expect(one.compile('postgres').text).toBe('select $1, $2, $3::text');
    expect(one.compile('postgres').bind({ b: 2, a: 'x' })).toEqual(['x', 2, 'x']);
    expect(one.compile('postgres')).toBe(one.compile('postgres'));
  });

  it('refuses to run without one of its parameters', () => {
    const one = statement<{ a: string | null }, never>('select :a');

    expect(() => one.compile('sqlite').bind({})).toThrow('The parameter a');
    expect(one.compile('sqlite').bind({ a: null })).toEqual([null]);
  });

  it('keeps the parameters of its parts apart when it is made of several', () => {
    const one = statement<{ a: string; b: number }, never>('select :a, :b, :a::text');
    const other = statement<{ a: string }, never>('select :a::json');

    const { text, bind } = together({ one, other }).compile('postgres');

    expect(text).toContain('(select $1, $2, $3::text)');
    expect(text).toContain('(select $4::json)');
    expect(bind({ other: { a: 'y' }, one: { b: 2, a: 'x' } })).toEqual(['x', 2, 'x', 'y']);
    expect(() => together({ one }).compile('sqlite')).toThrow('written for postgres');
  });

  it('refuses a database that it is not written for', () => {
    expect(() => statement('select 1', 'postgres').compile('sqlite')).toThrow('written for postgres');
  });
});
