import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { taskIn } from '#testing/a-task';
import { openPair, passTime, type StoreCheck } from '#testing/check';

const MINUTE_MS = 60_000;

/** Rule S12: the clock. */
export const CLOCK: readonly StoreCheck[] = [
  {
    title: '[S12] returns whole milliseconds that never go back',
    run: async (setup) => {
      await using store = await setup.open();
      const seen: number[] = [];

      for (let i = 0; i < 200; i += 1) {
        seen.push(store.now());
        if (i % 20 === 0) await sleep(1);
      }

      expect(seen.every(Number.isSafeInteger)).toBe(true);
      expect(seen).toStrictEqual(seen.toSorted((a, b) => a - b));
    },
  },
  {
    title: '[S12] returns the same time to all processes that share the store',
    shared: true,
    run: async (setup) => {
      await using pair = await openPair(setup);

      const [before, between, after] = [pair[0].now(), pair[1].now(), pair[0].now()];

      expect(between).toBeGreaterThan(before - 2_000);
      expect(between).toBeLessThan(after + 2_000);
    },
  },
  {
    title: '[S12, T6] does not bring back a task when the clock of the machine goes back',
    run: async (setup) => {
      await using store = await setup.open();
      const task = taskIn(store, { ttl_ms: 100 });
      await store.insert(task, 10);
      await passTime(setup, store, 100);
      const before = store.now();

      await setup.advance?.(-MINUTE_MS);
      const after = store.now();
      const found = await store.get(task.owner_id, task.task_id);
      await setup.advance?.(MINUTE_MS);

      expect(after).toBeGreaterThanOrEqual(before);
      expect(found).toBeNull();
    },
  },
];
