import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { assertDurable, assertSqliteVersion, openDatabase } from './open-database.ts';

async function aPath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'errand-tasks-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'data', 'tasks.db');
}

it.each(['3.51.2', '3.45.1', '2.99.99', '3.9.9'])(
  '[S1] refuses SQLite %s, which can lose what was written',
  (version) => {
    expect(() => assertSqliteVersion(version)).toThrow('Update Node.js');
  },
);

it.each(['3.51.3', '3.53.4', '3.100.0', '4.0.0'])('[S1] takes SQLite %s', (version) => {
  expect(() => assertSqliteVersion(version)).not.toThrow();
});

it('[S1] opens files so that a commit reaches the disk, and refuses other settings', async () => {
  using db = openDatabase(await aPath());
  expect(() => assertDurable(db)).not.toThrow();
  expect(db.prepare('pragma journal_mode').get()).toMatchObject({ journal_mode: 'wal' });

  db.exec('pragma synchronous = normal');

  expect(() => assertDurable(db)).toThrow('not FULL');
});

it('[O2] creates a file that only its owner may read', async () => {
  const path = await aPath();
  using _ = openDatabase(path);

  const modes = await Promise.all(
    [dirname(path), path, `${path}-wal`].map(async (at) => (await stat(at)).mode & 0o777),
  );

  expect(modes).toEqual([0o700, 0o600, 0o600]);
});

it('[S1] can be opened by many processes at the same time when it is new', async () => {
  const path = await aPath();
  const program = `
    const { openDatabase } = await import(${JSON.stringify(import.meta.resolve('./open-database.ts'))});
    openDatabase(${JSON.stringify(path)}).close();`;
  const args = ['--conditions=errand-source', '--input-type=module', '--eval', program];

  const children = Array.from({ length: 6 }, () => spawn(process.execPath, args, { stdio: 'ignore' }));
  const codes = await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0]));

  expect(codes).toEqual([0, 0, 0, 0, 0, 0]);
});
