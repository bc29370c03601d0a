import { expect } from 'vitest';
import type { Signal, TaskStore } from '#store';
import { finished, nextOf, taskIn } from '#testing/a-task';
import { eventually, type StoreCheck } from '#testing/check';

const ALL = 1_000;

/** Makes a write that sends a signal, and returns when it arrived: all earlier signals have then arrived too. */
async function settle(store: TaskStore, heard: readonly Signal[]): Promise<void> {
  const last = taskIn(store, { owner_id: 'sub:last' });
  await store.insert(last, ALL);
  await eventually(() => heard.some(({ task_id }) => task_id === last.task_id));
}

/** Rule S10: signals. */
export const SIGNALS: readonly StoreCheck[] = [
  {
    title: '[S10] signals inserts and changes to each subscriber, and whether a worker can claim the task',
    run: async (setup) => {
      await using store = await setup.open();
      const heard: [Signal[], Signal[]] = [[], []];
      for (const signals of heard) store.subscribe((signal) => void signals.push(signal));
      const lease = { worker_id: 'worker', until: store.now() + 3_600_000 };
      const inserted = taskIn(store);
      const held = taskIn(store, { lease });
      const released = taskIn(store, { lease });
      const ended = taskIn(store, { lease });

      for (const task of [inserted, held, released, ended]) await store.insert(task, ALL);
      await store.replace(nextOf(held, { status_message: 'on its way' }));
      await store.replace(nextOf(released, { lease: null }));
      await store.replace(finished(ended));
      for (const signals of heard) await settle(store, signals);

      for (const signals of heard) {
        const signalsOf = (task: { task_id: string }) => signals.filter(({ task_id }) => task_id === task.task_id);
        expect(signalsOf(inserted).at(-1)).toStrictEqual({ task_id: inserted.task_id, claimable: true });
        expect(signalsOf(held).at(-1)).toStrictEqual({ task_id: held.task_id, claimable: false });
        expect(signalsOf(released).at(-1)).toStrictEqual({ task_id: released.task_id, claimable: true });
        expect(signalsOf(ended).at(-1)).toStrictEqual({ task_id: ended.task_id, claimable: false });
        expect(signalsOf(ended).length).toBeGreaterThan(1);
      }
    },
  },
  {
    title: '[S10] sends no signal for quiet writes, refused writes and refused inserts',
    run: async (setup) => {
      await using store = await setup.open();
      const tasks = [taskIn(store), taskIn(store), taskIn(store, { owner_id: 'sub:full' })] as const;
      const [quiet, stale, extra] = tasks;
      for (const task of [quiet, stale]) await store.insert(task, ALL);
      const before: Signal[] = [];
      const stop = store.subscribe((signal) => void before.push(signal));
      await settle(store, before);
      stop();
      const heard: Signal[] = [];
      store.subscribe((signal) => void heard.push(signal));

      await store.replace(nextOf(quiet, { progress: { progress: 1 } }), { quiet: true });
      await store.replace({ ...stale, version: 7 });
      await store.insert(extra, 0);
      await settle(store, heard);

      const ids = tasks.map(({ task_id }) => task_id);
      expect(heard.filter(({ task_id }) => task_id !== null && ids.includes(task_id))).toStrictEqual([]);
      expect(heard.length).toBeGreaterThan(0);
    },
  },
  {
    title: '[S10] sends no signals after unsubscribing, and continues for other subscribers',
    run: async (setup) => {
      await using store = await setup.open();
      const [left, stayed]: [Signal[], Signal[]] = [[], []];
      const leave = store.subscribe((signal) => void left.push(signal));
      store.subscribe((signal) => void stayed.push(signal));

      leave();
      await settle(store, stayed);

      expect(left).toStrictEqual([]);
      expect(stayed.length).toBeGreaterThan(0);
    },
  },
];
