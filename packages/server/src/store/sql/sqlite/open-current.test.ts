import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { MIGRATIONS } from '#store/migrations/migrations';
import { AS_OWNER, TO_READ, TO_WRITE } from '#store/opening';
import { openCurrent, refusalOf } from './open-current.ts';
import { migrateDatabase, openDatabase } from './open-database.ts';

const NAMES = MIGRATIONS.map(({ name }) => name);

async function aFolder(): Promise<AsyncDisposable & { readonly folder: string; readonly path: string }> {
  const home = await mkdtemp(join(tmpdir(), 'errand-opening-'));
  const folder = join(home, 'data');
  return { folder, path: join(folder, 'errand.db'), [Symbol.asyncDispose]: () => rm(home, { recursive: true }) };
}

const stepsIn = (path: string): readonly string[] => {
  using db = new DatabaseSync(path);
  return db
    .prepare('select name from migrations order by name')
    .all()
    .map(({ name }) => String(name));
};

function anOlderOne(path: string): void {
  using db = openDatabase(path);
  migrateDatabase(db, MIGRATIONS.slice(0, 1));
}

describe('opening a database to read', () => {
  it('makes nothing where there is none', async () => {
    await using at = await aFolder();

    expect(() => openCurrent(at.path, TO_READ)).toThrow(expect.objectContaining({ code: 'not_found' }));

    expect(existsSync(at.folder)).toBe(false);
  });

  it('leaves an older schema as it is, and says what to run', async () => {
    await using at = await aFolder();
    anOlderOne(at.path);

    expect(() => openCurrent(at.path, TO_READ)).toThrow(
      expect.objectContaining({ code: 'schema_outdated', hint: expect.stringContaining('errand migrate') }),
    );

    expect(stepsIn(at.path)).toEqual(NAMES.slice(0, 1));
  });

  it('takes a database without tables, which an interrupted start leaves, for none', async () => {
    await using at = await aFolder();
    openDatabase(at.path).close();

    expect(() => openCurrent(at.path, TO_READ)).toThrow(expect.objectContaining({ code: 'not_found' }));
  });
});

describe('opening a database to write', () => {
  it('makes one where there is none, and says so', async () => {
    await using at = await aFolder();

    const { db, schema } = openCurrent(at.path, TO_WRITE);
    db.close();

    expect(schema).toEqual({ is_new: true, applied: NAMES });
    expect(readdirSync(at.folder)).toEqual(['errand.db']);
  });

  it('leaves an older schema as it is', async () => {
    await using at = await aFolder();
    anOlderOne(at.path);

    expect(() => openCurrent(at.path, TO_WRITE)).toThrow(expect.objectContaining({ code: 'schema_outdated' }));

    expect(stepsIn(at.path)).toEqual(NAMES.slice(0, 1));
  });
});

describe('opening a database as its owner', () => {
  it('brings an older schema up to date, and says which steps were applied', async () => {
    await using at = await aFolder();
    anOlderOne(at.path);

    const { db, schema } = openCurrent(at.path, AS_OWNER);
    db.close();

    expect(schema).toEqual({ is_new: false, applied: NAMES.slice(1) });
  });

  it.each([TO_READ, TO_WRITE, AS_OWNER])('refuses a file without content, with %j', async (opening) => {
    await using at = await aFolder();
    mkdirSync(at.folder);
    writeFileSync(at.path, '');

    expect(() => openCurrent(at.path, opening)).toThrow(
      expect.objectContaining({ code: 'database_damaged', message: expect.stringContaining(`${at.path} is empty`) }),
    );
  });

  it.each([TO_READ, TO_WRITE, AS_OWNER])('refuses a file that is no database, with %j', async (opening) => {
    await using at = await aFolder();
    mkdirSync(at.folder);
    writeFileSync(at.path, 'Words, and not a database at all. '.repeat(200));

    expect(() => openCurrent(at.path, opening)).toThrow(
      expect.objectContaining({ code: 'database_damaged', message: expect.stringContaining('not a database') }),
    );
  });

  it('calls a folder that it may not look into not allowed', () => {
    const denied = Object.assign(new Error("EACCES: permission denied, stat '/x/errand.db'"), { code: 'EACCES' });

    expect(refusalOf('/x/errand.db', denied)).toMatchObject({
      code: 'unauthorized',
      message: expect.stringContaining('permission denied'),
      hint: expect.stringContaining('--data'),
    });
  });
});
