import { kill } from 'node:process';
import { createClient } from 'redis';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Signal, TaskStore } from '#store';
import { nextOf, taskIn } from '#testing/a-task';
import { eventually } from '#testing/check';
import { type RunningRedis, startRedis } from '../../../../../scripts/redis.ts';
import { openRedisStore } from './redis-store.ts';

const AWAY = { name: 'TaskError', code: 'store_unavailable' };

describe('a Redis that goes away', () => {
  let redis: RunningRedis;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());

  const open = (): Promise<TaskStore> => openRedisStore({ url: redis.url });
  const works = async (store: TaskStore): Promise<boolean> =>
    store.list('sub:nobody', null, 1).then(
      () => true,
      () => false,
    );

  it('[S14, S1] is reported at once, keeps its acknowledged writes, and is used again when it is back', async () => {
    await using store = await open();
    const task = taskIn(store);
    await store.insert(task, 10);

    await redis.pause();
    await vi.waitUntil(async () => !(await works(store)));
    const away = await Promise.allSettled([
      store.get(task.owner_id, task.task_id),
      store.insert(taskIn(store), 10),
      store.replace(nextOf(task)),
      store.list(task.owner_id, null, 10),
      store.claim({ worker_id: 'w', tools: ['count'], lease_ms: 1_000, limit: 1 }),
      store.sweep(10),
      open(),
    ]);
    await redis.resume();
    await vi.waitUntil(() => works(store));

    for (const answer of away) expect(answer).toMatchObject({ status: 'rejected', reason: AWAY });
    expect(await store.get(task.owner_id, task.task_id)).toStrictEqual(task);
    expect(await store.replace(nextOf(task))).toStrictEqual({ ok: true });
  });

  it('[S14, S15] makes listeners read all tasks again after the reconnect, and sends signals again', async () => {
    await using store = await open();
    await using other = await open();
    const heard: Signal[] = [];
    other.subscribe((signal) => void heard.push(signal));

    await redis.pause();
    await redis.resume();
    await eventually(() => heard.length > 0);
    await vi.waitUntil(() => works(store));
    const task = taskIn(store);
    await store.insert(task, 100);
    await eventually(() => heard.some(({ task_id }) => task_id === task.task_id));

    expect(heard[0]).toStrictEqual({ task_id: null, claimable: true });
    expect(heard).toContainEqual({ task_id: task.task_id, claimable: true });
  });

  it('[S14] is disconnected when it does not answer, and used again when it does', async () => {
    await using store = await open();

    kill(redis.pid, 'SIGSTOP');
    const asked = await store.get('sub:alice', 'unknown').catch((error: unknown) => error);
    kill(redis.pid, 'SIGCONT');
    await vi.waitUntil(() => works(store));

    expect(asked).toMatchObject(AWAY);
  });

  it('[S1] causes a warning when it may lose acknowledged writes', async () => {
    const client = createClient({ url: redis.url });
    await client.connect();
    const safe: string[] = [];
    const risky: string[] = [];

    await (await openRedisStore({ url: redis.url, report: (warning) => void safe.push(warning) })).close();
    await client.configSet({ appendfsync: 'everysec', 'maxmemory-policy': 'allkeys-lru' });
    await (await openRedisStore({ url: redis.url, report: (warning) => void risky.push(warning) })).close();
    await client.configSet({ appendfsync: 'always', 'maxmemory-policy': 'noeviction' });
    client.destroy();

    expect(safe).toStrictEqual([]);
    expect(risky).toStrictEqual([expect.stringContaining('appendfsync'), expect.stringContaining('maxmemory-policy')]);
  });
});
