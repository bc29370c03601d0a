import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { type Config, readConfig } from '#config';
import { createLog } from '#observability/log';
import { MIGRATIONS } from '#store/migrations/migrations';
import { migrateDatabase, openDatabase } from '#store/sql/sqlite/open-database';
import { type Access, openForCommand } from './compose-command.ts';

const log = createLog({ level: 'silent', fd: 2 });

interface Home extends AsyncDisposable {
  readonly config: Config;
  readonly path: string;
  readonly said: readonly string[];
  /** Opens and closes Errand as a command of this kind does. */
  readonly run: (access: Access, is_served?: boolean) => Promise<void>;
  readonly steps: () => number;
}

async function aHome(): Promise<Home> {
  const folder = await mkdtemp(join(tmpdir(), 'errand-command-'));
  const config = readConfig({}, { data: join(folder, 'data') }, folder);
  const path = join(folder, 'data', 'errand.db');
  const said: string[] = [];
  return {
    config,
    path,
    said,
    run: async (access, is_served = false) => {
      const notice = (line: string) => void said.push(line);
      const errand = await openForCommand({ access, config, log, isServed: async () => is_served, notice });
      await errand.close();
    },
    steps: () => {
      using db = new DatabaseSync(path);
      return Number(db.prepare('select count(*) as steps from migrations').get()?.steps);
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

function leaveOlder(path: string): void {
  using db = openDatabase(path);
  migrateDatabase(db, MIGRATIONS.slice(0, 1));
}

it('creates nothing for a command that only reads', async () => {
  await using home = await aHome();

  await expect(home.run('read')).rejects.toMatchObject({ code: 'not_found', message: expect.stringContaining('data') });

  expect(existsSync(home.config.data)).toBe(false);
});

it('says that data is new, once', async () => {
  await using home = await aHome();

  await home.run('write');
  await home.run('write');
  await home.run('read');

  expect(home.said).toEqual([`New data at ${home.path}.`]);
});

it('[L-CLI] creates no data for a command that changes existing data', async () => {
  await using home = await aHome();

  await expect(home.run('change')).rejects.toMatchObject({ code: 'not_found' });

  expect(existsSync(home.path)).toBe(false);
});

it('does not migrate an older schema while a server runs on it', async () => {
  await using home = await aHome();
  leaveOlder(home.path);

  for (const access of ['read', 'change', 'write'] as const) {
    await expect(home.run(access, true)).rejects.toMatchObject({ code: 'schema_outdated' });
  }

  expect(home.steps()).toBe(1);
});

it('does not migrate an older schema when it only reads, even if no server runs', async () => {
  await using home = await aHome();
  leaveOlder(home.path);

  await expect(home.run('read')).rejects.toMatchObject({ code: 'schema_outdated' });

  expect(home.steps()).toBe(1);
});

it('migrates an older schema before it writes when no server runs, and says so', async () => {
  await using home = await aHome();
  leaveOlder(home.path);

  await home.run('write');

  expect(home.steps()).toBe(MIGRATIONS.length);
  expect(home.said).toEqual([expect.stringMatching(/^Brought .*errand\.db up to date: 0002-/)]);
});
