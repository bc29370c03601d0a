import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { createClient } from 'redis';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import type { Signal, TaskStore } from '#store';
import { finished, nextOf, taskIn } from '#testing/a-task';
import { eventually, passTime } from '#testing/check';
import { describeTaskStore } from '#testing/contract';
import { openRedisStore } from './redis-store.ts';

const url = inject('redisUrl');
let prefix = '';
const second = (): Promise<TaskStore> => openRedisStore({ url, prefix });
const open = (): Promise<TaskStore> => {
  prefix = `test:${randomUUID()}`;
  return second();
};

/** Sends a command on a connection of its own, as an administrator would. */
async function command(...args: readonly string[]): Promise<unknown> {
  const client = createClient({ url });
  await client.connect();
  const reply = await client.sendCommand([...args]);
  await client.close();
  return reply;
}

describeTaskStore('redis', open, { second });

describe('tasks in Redis', () => {
  it('[S15, ADVS-01] send signals to another object, with `claimable`, except for quiet writes', async () => {
    await using first = await open();
    await using other = await second();
    const heard: Signal[] = [];
    other.subscribe((signal) => void heard.push(signal));
    const [task, hushed] = [taskIn(first), taskIn(first, { lease: { worker_id: 'w', until: first.now() + 60_000 } })];

    await first.insert(task, 10);
    await first.insert(hushed, 10);
    await first.replace(nextOf(hushed, { progress: { progress: 1 } }), { quiet: true });
    await first.replace(finished(task));
    await eventually(() => heard.length === 3);

    expect(heard).toStrictEqual([
      { task_id: task.task_id, claimable: true },
      { task_id: hushed.task_id, claimable: false },
      { task_id: task.task_id, claimable: false },
    ]);
  });

  it('[S15] send no signals to a store with another prefix', async () => {
    await using other = await open();
    await using first = await open();
    await using witness = await second();
    const [heard, seen]: [Signal[], Signal[]] = [[], []];
    other.subscribe((signal) => void heard.push(signal));
    witness.subscribe((signal) => void seen.push(signal));

    await first.insert(taskIn(first), 10);
    await eventually(() => seen.length > 0);

    expect(seen).toHaveLength(1);
    expect(heard).toStrictEqual([]);
  });

  it('[ADVS-01, S3] are written also when the server has lost its script cache', async () => {
    await using store = await open();
    const task = taskIn(store);
    await store.insert(task, 10);
    await command('SCRIPT', 'FLUSH');

    const replaced = await store.replace(finished(task));

    expect(replaced).toStrictEqual({ ok: true });
    expect(await store.get(task.owner_id, task.task_id)).toStrictEqual(finished(task));
  });

  it('[ADVS-01, T6] are removed by the server itself when no process sweeps', async () => {
    await using store = await open();
    const task = taskIn(store, { ttl_ms: 1_000 });
    await store.insert(task, 10);
    const before = await command('EXISTS', `{${prefix}}:task:${task.task_id}`);

    await passTime({ open }, store, 1_000);

    expect(before).toBe(1);
    expect(await command('EXISTS', `{${prefix}}:task:${task.task_id}`)).toBe(0);
  });

  it('[ADVS-01, S9] leave no keys behind after a sweep', async () => {
    await using store = await open();
    for (const owner_id of ['sub:alice', 'sub:bob']) await store.insert(taskIn(store, { owner_id, ttl_ms: 60 }), 10);
    const ended = taskIn(store, { ttl_ms: 60 });
    await store.insert(ended, 10);
    await store.replace(finished(ended));
    await passTime({ open }, store, 60);

    const removed = await store.sweep(100);

    expect(removed).toBe(3);
    expect(await command('KEYS', `{${prefix}}*`)).toStrictEqual([]);
  });

  it('have keys with one hash tag, so that a cluster keeps them in one slot', async () => {
    await using store = await open();
    await store.insert(taskIn(store), 10);

    const keys = await command('KEYS', `{${prefix}}*`);

    const tags = (keys as readonly string[]).map((key) => /^\{(.+?)\}/.exec(key)?.[1]);
    expect(tags.length).toBeGreaterThan(3);
    expect(new Set(tags)).toStrictEqual(new Set([prefix]));
  });

  it('load the driver when the store is opened, and not before', async () => {
    const program = `
      import { createRequire } from 'node:module';
      import { openRedisStore } from '@errand/tasks/redis';
      const isLoaded = () => Object.keys(createRequire(import.meta.url).cache).some((file) => file.includes('@redis'));
      const before = isLoaded();
      await openRedisStore({ url: 'redis://127.0.0.1:9' }).catch(() => {});
      console.log(JSON.stringify([before, isLoaded()]));`;
    const args = ['--conditions=errand-source', '--input-type=module', '-e', program];

    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname, env: {} });

    expect(JSON.parse(stdout)).toStrictEqual([false, true]);
  });

  it('are refused with a prefix that would break the hash tag', async () => {
    const opening = openRedisStore({ url, prefix: 'a}b' });

    await expect(opening).rejects.toThrow('prefix');
  });

  it('[S14] reject with `store_unavailable` after the store was closed', async () => {
    const store = await open();
    onTestFinished(() => store.close());
    await store.close();

    const asked = store.get('sub:alice', randomUUID());

    await expect(asked).rejects.toMatchObject({ code: 'store_unavailable' });
  });
});
