import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it, vi } from 'vitest';
import type { Signal } from '#store';
import type { TaskRecord } from '#task';
import { aTask } from '#testing/a-task';
import { describeTaskStore } from '#testing/contract';
import { openSqliteStore } from './sqlite-store.ts';

const time = { now: 1_700_000_000_000 };
const advance = async (ms: number): Promise<void> => {
  time.now += ms;
};
const clock = (): number => time.now;

const folder = mkdtemp(join(tmpdir(), 'errand-tasks-'));
afterAll(async () => rm(await folder, { recursive: true, force: true }));

let files = 0;
let path = '';

describeTaskStore(
  'sqlite file',
  async () => {
    files += 1;
    path = join(await folder, `tasks-${files}.db`);
    return openSqliteStore({ path, clock });
  },
  { advance, second: () => openSqliteStore({ path, clock }) },
);

describeTaskStore('sqlite in memory', () => openSqliteStore({ path: ':memory:', clock }), { advance });

const aFile = async (): Promise<string> => join(await folder, `${randomUUID()}.db`);

describe('an idle file', () => {
  it('[S7, S9] is not written to by workers that only poll', async () => {
    const file = await aFile();
    await using store = await openSqliteStore({ path: file });
    const before = await stat(`${file}-wal`);

    await store.claim({ worker_id: 'idle', tools: ['count'], lease_ms: 1_000, limit: 10 });
    await store.sweep(10);

    expect((await stat(`${file}-wal`)).size).toBe(before.size);
  });
});

describe('a file that several use', () => {
  it('[S15, S10] signals the writes of others, and its own writes by id only', async () => {
    const file = await aFile();
    await using here = await openSqliteStore({ path: file });
    await using there = await openSqliteStore({ path: file });
    const heard: Signal[] = [];
    here.subscribe((signal) => void heard.push(signal));

    const own = aTask();
    await here.insert(own, 10);
    await sleep(100);
    const before = [...heard];
    await there.insert(aTask(), 10);
    await vi.waitFor(() => expect(heard).toHaveLength(2));

    expect(before).toEqual([{ task_id: own.task_id, claimable: true }]);
    expect(heard[1]).toEqual({ task_id: null, claimable: true });
  });

  it('[S15] signals the writes of another process when they can be read', async () => {
    const file = await aFile();
    await using store = await openSqliteStore({ path: file });
    const task = aTask();
    const program = `
      const { openSqliteStore } = await import(${JSON.stringify(import.meta.resolve('./sqlite-store.ts'))});
      const store = await openSqliteStore({ path: ${JSON.stringify(file)} });
      await store.insert(${JSON.stringify(task)}, 10);
      await store.close();`;
    const seen: (TaskRecord | null)[] = [];
    store.subscribe(() => {
      void store.get(task.owner_id, task.task_id).then((found) => seen.push(found));
    });

    const args = ['--conditions=errand-source', '--input-type=module', '--eval', program];
    const child = spawn(process.execPath, args, { stdio: 'ignore' });
    await once(child, 'exit');

    await vi.waitFor(() => expect(seen).toContainEqual(task));
  });

  it('[S3, S14] waits for the lock of another process without blocking this one', async () => {
    const file = await aFile();
    await using store = await openSqliteStore({ path: file });
    using other = new DatabaseSync(file);
    other.exec('begin immediate');
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);

    const inserting = store.insert(aTask(), 10);
    await vi.waitFor(() => expect(turns).toBeGreaterThan(20));
    other.exec('commit');

    expect(await inserting).toBe('inserted');
    clearInterval(timer);
  });

  it('[S12] has one clock, also for a process whose own clock is behind', async () => {
    const file = await aFile();
    await using ahead = await openSqliteStore({ path: file, clock: () => 2_000_000 });
    const task = aTask({ created_at: 1_000_000, ttl_ms: 500_000 });
    await ahead.insert(aTask({ owner_id: 'other' }), 10);

    await using behind = await openSqliteStore({ path: file, clock: () => 1_000_000 });
    await behind.insert(task, 10);

    expect(behind.now()).toBeGreaterThanOrEqual(2_000_000);
    expect(await behind.get(task.owner_id, task.task_id)).toBeNull();
  });

  it('[S12] catches up with another process at its next write', async () => {
    const file = await aFile();
    await using behind = await openSqliteStore({ path: file, clock: () => 1_000_000 });
    await using ahead = await openSqliteStore({ path: file, clock: () => 2_000_000 });
    await ahead.insert(aTask({ owner_id: 'other' }), 10);

    await behind.insert(aTask({ owner_id: 'other' }), 10);

    expect(behind.now()).toBeGreaterThanOrEqual(2_000_000);
  });
});

it('[S1] still has everything after it was closed and opened again', async () => {
  const file = await aFile();
  const task = aTask();
  {
    await using store = await openSqliteStore({ path: file });
    await store.insert(task, 10);
  }

  await using store = await openSqliteStore({ path: file });

  expect(await store.get(task.owner_id, task.task_id)).toEqual(task);
});

it('[S1] finishes pending writes before it closes', async () => {
  const file = await aFile();
  const task = aTask();
  const first = await openSqliteStore({ path: file });
  const inserting = first.insert(task, 10);
  await first.close();

  await using store = await openSqliteStore({ path: file });

  expect(await inserting).toBe('inserted');
  expect(await store.get(task.owner_id, task.task_id)).toEqual(task);
});

it('[S14] rejects with `store_unavailable` when it is closed, and for a file that is no database', async () => {
  const file = await aFile();
  const store = await openSqliteStore({ path: file });
  await store.close();
  await writeFile(`${file}.txt`, 'not a database, but long enough to be looked at as one '.repeat(100));

  await expect(store.insert(aTask(), 10)).rejects.toMatchObject({ code: 'store_unavailable' });
  await expect(store.get('sub:alice', 'a')).rejects.toMatchObject({ code: 'store_unavailable' });
  await expect(openSqliteStore({ path: `${file}.txt` })).rejects.toMatchObject({ code: 'store_unavailable' });
});

it('[S5] accepts an infinite quota', async () => {
  await using store = await openSqliteStore({ path: ':memory:' });

  expect(await store.insert(aTask(), Number.POSITIVE_INFINITY)).toBe('inserted');
});

const AWAY = { code: 'store_unavailable', message: expect.stringContaining('removed, moved or replaced') };

describe('a file that is removed while it is open', () => {
  it.each(['', '-wal', '-shm'])('[S18] refuses changes after tasks.db%s was removed', async (suffix) => {
    const file = await aFile();
    await using store = await openSqliteStore({ path: file });
    await store.insert(aTask(), 10);
    await store.check?.();

    await rm(file + suffix);

    await expect(store.insert(aTask(), 10)).rejects.toMatchObject(AWAY);
    await expect(store.sweep(10)).rejects.toMatchObject(AWAY);
    await expect(store.check?.()).rejects.toMatchObject({ cause: { message: `${file}${suffix} is gone.` } });
  });

  it('[S18] accepts changes again when its own files are back', async () => {
    const home = await mkdtemp(join(await folder, 'replaced-'));
    const data = join(home, 'data');
    await using store = await openSqliteStore({ path: join(data, 'tasks.db') });
    await rename(data, `${data}-aside`);
    await cp(`${data}-aside`, data, { recursive: true });

    await expect(store.insert(aTask(), 10)).rejects.toMatchObject(AWAY);
    await rm(data, { recursive: true });
    await rename(`${data}-aside`, data);

    expect(await store.insert(aTask(), 10)).toBe('inserted');
  });

  it('[S18] keeps the locks of one store when another store of the same process is closed', async () => {
    const file = await aFile();
    await using store = await openSqliteStore({ path: file });
    await (await openSqliteStore({ path: file })).close();
    const program = `
      const { DatabaseSync } = await import('node:sqlite');
      new DatabaseSync(${JSON.stringify(file)}).exec('pragma journal_mode = delete');`;

    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: 'ignore' });
    const [code] = await once(child, 'exit');

    // SQLite refuses to leave WAL mode while another process has the file open, which it detects by the locks.
    expect(code).not.toBe(0);
    expect(await store.insert(aTask(), 10)).toBe('inserted');
  });
});
