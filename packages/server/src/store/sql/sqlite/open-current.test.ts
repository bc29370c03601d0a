import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
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
  it('creates nothing where there is none', async () => {
    await using at = await aFolder();

    expect(() => openCurrent(at.path, TO_READ)).toThrow(expect.objectContaining({ code: 'not_found' }));

    expect(existsSync(at.folder)).toBe(false);
  });

  it('leaves an older schema unchanged, and says what to run', async () => {
    await using at = await aFolder();
    anOlderOne(at.path);

    expect(() => openCurrent(at.path, TO_READ)).toThrow(
      expect.objectContaining({ code: 'schema_outdated', hint: expect.stringContaining('errand migrate') }),
    );

    expect(stepsIn(at.path)).toEqual(NAMES.slice(0, 1));
  });

  it('treats a database without tables, which an interrupted start leaves, as none', async () => {
    await using at = await aFolder();
    openDatabase(at.path).close();

    expect(() => openCurrent(at.path, TO_READ)).toThrow(expect.objectContaining({ code: 'not_found' }));
  });
});

describe('opening a database to write', () => {
  it('creates one where there is none, and says so', async () => {
    await using at = await aFolder();

    const { db, schema } = openCurrent(at.path, TO_WRITE);
    db.close();

    expect(schema).toEqual({ is_new: true, applied: NAMES });
    expect(readdirSync(at.folder)).toEqual(['errand.db']);
  });

  it('leaves an older schema unchanged', async () => {
    await using at = await aFolder();
    anOlderOne(at.path);

    expect(() => openCurrent(at.path, TO_WRITE)).toThrow(expect.objectContaining({ code: 'schema_outdated' }));

    expect(stepsIn(at.path)).toEqual(NAMES.slice(0, 1));
  });
});

const isSuperuser = process.getuid?.() === 0;
/** Whether a user who is nobody in particular can read this file. */
const isOpenToAll = (folder: string): boolean =>
  (statSync(folder).mode & 0o005) === 0o005 && (folder === dirname(folder) || isOpenToAll(dirname(folder)));

describe('opening a database as its owner', () => {
  it('migrates an older schema, and says which steps were applied', async () => {
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

  it.skipIf(isSuperuser && !isOpenToAll(import.meta.dirname)).each([
    ['a file that it may not write', 0o700, 0o400],
    ['a file that it may not read', 0o700, 0o200],
    ['a folder that it may not write', 0o500, 0o600],
  ])('is not allowed with %s', async (_, folder_mode, file_mode) => {
    await using at = await aFolder();
    openCurrent(at.path, AS_OWNER).db.close();
    // The superuser may do everything, so another user opens it then.
    const uid = isSuperuser ? 65_534 : process.getuid?.();
    for (const path of [dirname(at.folder), at.folder, at.path]) chownSync(path, uid ?? 0, statSync(path).gid);
    chmodSync(at.path, file_mode);
    chmodSync(at.folder, folder_mode);
    const script = `
      const { openCurrent } = await import(${JSON.stringify(new URL('./open-current.ts', import.meta.url).href)});
      try { openCurrent(${JSON.stringify(at.path)}, ${JSON.stringify(TO_READ)}); } catch ({ code, message }) { console.log(code, message); }`;

    const { stdout } = spawnSync(
      process.execPath,
      ['--conditions=errand-source', '--input-type=module', '-e', script],
      {
        ...(uid !== undefined && { uid }),
        cwd: '/',
        encoding: 'utf8',
      },
    );

    expect(stdout).toMatch(/^unauthorized .*permission denied/);
    chmodSync(at.folder, 0o700);
  });

  it.each([
    ['a statement that failed', 1, undefined],
    ['a file that cannot be opened', 14, expect.stringContaining('--data')],
  ])('advises another folder only where that helps: %s', (_, errcode, hint) => {
    const error = Object.assign(new Error('no such column: x'), { code: 'ERR_SQLITE_ERROR', errcode });

    expect(refusalOf('/x/errand.db', error)).toMatchObject({ code: 'validation_error', hint });
  });

  it('reports a folder that it may not read as not allowed', () => {
    const denied = Object.assign(new Error("EACCES: permission denied, stat '/x/errand.db'"), { code: 'EACCES' });

    expect(refusalOf('/x/errand.db', denied)).toMatchObject({
      code: 'unauthorized',
      message: expect.stringContaining('permission denied'),
      hint: expect.stringContaining('--data'),
    });
  });
});
