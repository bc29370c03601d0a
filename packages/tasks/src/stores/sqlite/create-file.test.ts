import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createFile } from './create-file.ts';
import { openDatabase } from './open-database.ts';

async function aPath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'errand-tasks-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'data', 'tasks.db');
}

/** Does something else at the moment when a file that is being made is not complete yet. */
function halfway(act: () => void): Disposable {
  const { exec } = DatabaseSync.prototype;
  const spy = vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementationOnce(function (this: DatabaseSync, sql) {
    act();
    return exec.call(this, sql);
  });
  return { [Symbol.dispose]: () => spy.mockRestore() };
}

it.each([
  ['createFile', createFile],
  ['openDatabase', (path: string) => openDatabase(path).close()],
] as const)(
  '[S1, O2] a new file has its name only when it is complete, and only its owner can read it: %s',
  async (_, create) => {
    const path = await aPath();
    let wasThere: boolean | null = null;
    using _half = halfway(() => {
      wasThere = existsSync(path);
    });

    create(path);

    expect(wasThere).toBe(false);
    expect(statSync(path).size).toBeGreaterThan(0);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  },
);

it('[S1] createFile leaves a file alone that another process has created meanwhile', async () => {
  const path = await aPath();
  using _half = halfway(() => writeFileSync(path, 'theirs'));

  createFile(path);

  expect(readFileSync(path, 'utf8')).toBe('theirs');
  expect(readdirSync(dirname(path))).toEqual([basename(path)]);
});
