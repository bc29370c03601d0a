import { expect } from 'vitest';
import type { TaskStore } from '#store';
import { finished, taskIn } from '#testing/a-task';
import { passTime, type StoreCheck } from '#testing/check';

const ALL = 1_000;
const LIFE_MS = 120;

async function sweepAll(store: TaskStore, limit: number): Promise<readonly number[]> {
  const rounds: number[] = [];
  do rounds.push(await store.sweep(limit));
  while (rounds.at(-1) !== 0 && rounds.length < 10);
  return rounds;
}

/** Rule S9: removal of expired tasks. */
export const SWEEPS: readonly StoreCheck[] = [
  {
    title: '[S9, T6] removes at most `limit` expired tasks of all owners',
    run: async (setup) => {
      await using store = await setup.open();
      const owners = ['sub:alice', 'sub:alice', 'sub:bob', 'sub:carol', 'sub:dave'];
      const brief = owners.map((owner_id) => taskIn(store, { owner_id, ttl_ms: LIFE_MS }));
      for (const task of brief) await store.insert(task, ALL);
      await passTime(setup, store, LIFE_MS);

      const rounds = await sweepAll(store, 2);

      expect(rounds).toStrictEqual([2, 2, 1, 0]);
      // A removed task's id can be inserted again.
      const reborn = brief.map((task) => ({ ...task, created_at: store.now(), ttl_ms: null }));
      for (const task of reborn) expect(await store.insert(task, ALL)).toBe('inserted');
      for (const task of reborn) expect(await store.get(task.owner_id, task.task_id)).toStrictEqual(task);
    },
  },
  {
    title: '[S9] keeps unexpired tasks, finished or not',
    run: async (setup) => {
      await using store = await setup.open();
      const endless = taskIn(store, { ttl_ms: null, created_at: store.now() - 1_000_000_000 });
      const long = taskIn(store);
      const ended = taskIn(store);
      for (const task of [endless, long, ended]) await store.insert(task, ALL);
      await store.replace(finished(ended));
      await passTime(setup, store, LIFE_MS);

      const removed = await store.sweep(100);

      expect(removed).toBe(0);
      const left = (await store.list('sub:alice', null, 10)).map(({ task_id }) => task_id);
      expect(left.toSorted()).toStrictEqual([endless, long, ended].map(({ task_id }) => task_id).toSorted());
    },
  },
];
