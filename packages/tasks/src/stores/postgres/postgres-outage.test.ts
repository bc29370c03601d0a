import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Signal } from '#store';
import { aTask, finished } from '#testing/a-task';
import { type RunningPostgres, startPostgres } from '../../../../../scripts/postgres.ts';
import { aProxy } from '../../../../../scripts/swallowing-proxy.ts';
import { openPostgresStore } from './postgres-store.ts';

let postgres: RunningPostgres;

beforeAll(async () => {
  postgres = await startPostgres();
});

afterAll(() => postgres.stop());

it('[S14] rejects with `store_unavailable` while the server is away, and works again when it is back', async () => {
  await using store = await openPostgresStore({ url: postgres.url });
  const task = aTask();
  await store.insert(task, 10);

  await postgres.pause();
  const calls = [
    store.insert(aTask(), 10),
    store.get(task.owner_id, task.task_id),
    store.replace(finished(task)),
    store.list(task.owner_id, null, 10),
    store.claim({ worker_id: 'worker', tools: ['count'], lease_ms: 1_000, limit: 1 }),
    store.sweep(10),
  ];
  const answers = await Promise.allSettled(calls);
  await postgres.resume();
  const found = await vi.waitFor(() => store.get(task.owner_id, task.task_id));
  const replaced = await vi.waitFor(() => store.replace(finished(task)));

  for (const answer of answers) {
    expect(answer).toMatchObject({ status: 'rejected', reason: { code: 'store_unavailable' } });
  }
  expect(found).toEqual(task);
  expect(replaced).toEqual({ ok: true });
});

it('[S14, S15] gets signals again after the server was unavailable, and signals that some may be missing', async () => {
  await using here = await openPostgresStore({ url: postgres.url });
  await using there = await openPostgresStore({ url: postgres.url });
  const heard: Signal[] = [];
  there.subscribe((signal) => void heard.push(signal));

  await postgres.pause();
  await postgres.resume();
  await vi.waitFor(() => expect(heard).toContainEqual({ task_id: null, claimable: true }));
  const task = aTask({ owner_id: 'sub:bob' });
  await vi.waitFor(() => here.insert(task, 10));

  await vi.waitFor(() => expect(heard).toContainEqual({ task_id: task.task_id, claimable: true }));
});

it('[S14] replaces a connection that gets no answer', async () => {
  using proxy = await aProxy(postgres.url);
  await using store = await openPostgresStore({
    url: proxy.url,
    schema: 'half_open',
    pool_size: 2,
    max_silence_ms: 1_000,
  });
  const task = aTask();
  await store.insert(task, 10);
  await store.get(task.owner_id, task.task_id);

  proxy.swallow();
  const calls = [
    store.insert(aTask(), 10),
    store.get(task.owner_id, task.task_id),
    store.claim({ worker_id: 'worker', tools: ['count'], lease_ms: 1_000, limit: 1 }),
  ];
  const answers = await Promise.allSettled(calls);
  proxy.letThrough();

  expect(answers).toMatchObject(Array(3).fill({ status: 'rejected', reason: { code: 'store_unavailable' } }));
  // A store that only let the queries time out would query the dead connection again.
  await vi.waitFor(async () => expect(await store.get(task.owner_id, task.task_id)).toEqual(task));
  await vi.waitFor(async () => expect(await store.insert(aTask(), 10)).toBe('inserted'));
});
