import { expect } from 'vitest';
import type { Claim } from '#store';
import type { TaskRecord } from '#task';
import { finished, nextOf, requestFor, taskIn } from '#testing/a-task';
import { claimAll, openPair, passTime, type StoreCheck, turns } from '#testing/check';

const ALL = 1_000;
const SHORT_MS = 120;
const LONG_MS = 3_600_000;

const aClaim = (overrides: Partial<Claim> = {}): Claim => ({
  worker_id: 'worker-1',
  tools: ['count'],
  lease_ms: LONG_MS,
  limit: 10,
  ...overrides,
});

const idsOf = (records: readonly TaskRecord[]): readonly string[] => records.map(({ task_id }) => task_id).toSorted();

/** Rules S7 and S8: claims and leases. */
export const CLAIMS: readonly StoreCheck[] = [
  {
    title: '[S7] returns a claimed task with a higher version and epoch and a lease, and changes nothing else',
    run: async (setup) => {
      await using store = await setup.open();
      const task = taskIn(store, { variables: { kept: true }, updated_at: 5 });
      await store.insert(task, ALL);
      const before = store.now();

      const [claimed] = await claimAll(setup, store, aClaim(), 1);

      const until = claimed?.lease?.until ?? 0;
      expect(claimed).toStrictEqual({ ...task, version: 2, epoch: 1, lease: { worker_id: 'worker-1', until } });
      // The clocks of two machines may differ a little.
      expect(until).toBeGreaterThanOrEqual(before + LONG_MS - 1_000);
      expect(until).toBeLessThanOrEqual(store.now() + LONG_MS + 1_000);
      expect(await store.get(task.owner_id, task.task_id)).toStrictEqual(claimed);
    },
  },
  {
    title: '[S7] gives each of many tasks to one of many workers',
    run: async (setup) => {
      await using pair = await openPair(setup);
      const tasks = Array.from({ length: 24 }, () => taskIn(pair[0]));
      await Promise.all(tasks.map((task) => pair[0].insert(task, ALL)));

      const rounds = Array.from({ length: 12 }, (_, i) =>
        turns(pair, i).claim(aClaim({ worker_id: `worker-${i}`, limit: 3 })),
      );
      const raced = (await Promise.all(rounds)).flat();
      const rest = await claimAll(setup, pair[1], aClaim({ worker_id: 'last', limit: 100 }), 24 - raced.length);

      const claimed = [...raced, ...rest];
      expect(idsOf(claimed)).toStrictEqual(idsOf(tasks));
      expect(raced.length).toBeGreaterThan(0);
      const stored = await Promise.all(claimed.map(({ owner_id, task_id }) => pair[0].get(owner_id, task_id)));
      expect(stored).toStrictEqual(claimed);
    },
  },
  {
    title: '[S7] gives a single task to one of many workers that claim at once',
    run: async (setup) => {
      await using pair = await openPair(setup);
      const task = taskIn(pair[0]);
      await pair[0].insert(task, ALL);

      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, i) => turns(pair, i).claim(aClaim({ worker_id: `worker-${i}` }))),
      );
      const late = await claimAll(setup, pair[0], aClaim({ worker_id: 'late' }), 1 - answers.flat().length);

      expect([...answers.flat(), ...late]).toHaveLength(1);
    },
  },
  {
    title: '[S7] claims at most `limit` tasks, and only of the named tools',
    run: async (setup) => {
      await using store = await setup.open();
      const counts = Array.from({ length: 4 }, () => taskIn(store));
      const sorts = [taskIn(store, { request: requestFor('sort') }), taskIn(store, { request: requestFor('Count') })];
      for (const task of [...counts, ...sorts]) await store.insert(task, ALL);

      const nothing = await store.claim(aClaim({ tools: [] }));
      const three = await claimAll(setup, store, aClaim({ limit: 3 }), 3);
      const rest = await claimAll(setup, store, aClaim({ tools: ['sort', 'count', 'unknown'] }), 2);

      expect(nothing).toStrictEqual([]);
      expect(three).toHaveLength(3);
      expect(idsOf([...three, ...rest])).toStrictEqual(idsOf([...counts, ...sorts.slice(0, 1)]));
    },
  },
  {
    title: '[S7] skips leased, ended and expired tasks',
    run: async (setup) => {
      await using store = await setup.open();
      const held = taskIn(store, { lease: { worker_id: 'other', until: store.now() + LONG_MS } });
      const ended = taskIn(store);
      const brief = taskIn(store, { ttl_ms: SHORT_MS });
      const waiting = taskIn(store, { status: 'input_required' });
      for (const task of [held, ended, brief, waiting]) await store.insert(task, ALL);
      await store.replace(finished(ended));
      await passTime(setup, store, SHORT_MS);

      const claimed = await claimAll(setup, store, aClaim(), 1);

      expect(idsOf(claimed)).toStrictEqual([waiting.task_id]);
      expect(await store.get(held.owner_id, held.task_id)).toStrictEqual(held);
    },
  },
  {
    title: '[S7, S3] makes a write fail that was based on the version before the claim',
    run: async (setup) => {
      await using store = await setup.open();
      const task = taskIn(store);
      await store.insert(task, ALL);
      const [claimed] = await claimAll(setup, store, aClaim(), 1);

      const answer = await store.replace(nextOf(task, { status_message: 'from before' }));

      expect(claimed).toBeDefined();
      expect(answer).toStrictEqual({ ok: false, current: claimed });
    },
  },
  {
    title: '[S8] gives a task again with a higher epoch only when its lease has expired',
    run: async (setup) => {
      await using store = await setup.open();
      const task = taskIn(store);
      await store.insert(task, ALL);
      const [first] = await claimAll(setup, store, aClaim({ lease_ms: SHORT_MS }), 1);
      const early = setup.advance ? await store.claim(aClaim({ worker_id: 'early' })) : [];

      await passTime(setup, store, SHORT_MS);
      const [again] = await claimAll(setup, store, aClaim({ worker_id: 'worker-2' }), 1);

      expect(early).toStrictEqual([]);
      expect(first).toMatchObject({ version: 2, epoch: 1, lease: { worker_id: 'worker-1' } });
      expect(again).toMatchObject({ task_id: task.task_id, version: 3, epoch: 2, lease: { worker_id: 'worker-2' } });
    },
  },
  {
    title: '[S8] gives a task again with a higher epoch when it was handed back',
    run: async (setup) => {
      await using store = await setup.open();
      await store.insert(taskIn(store), ALL);
      const [first] = await claimAll(setup, store, aClaim(), 1);
      const back = first && (await store.replace(nextOf(first, { lease: null }), { quiet: true }));

      const [again] = await claimAll(setup, store, aClaim({ worker_id: 'worker-2' }), 1);

      expect(back).toStrictEqual({ ok: true });
      expect(again).toMatchObject({ version: 4, epoch: 2, lease: { worker_id: 'worker-2' } });
    },
  },
  {
    title: '[S8] keeps a task for a worker that has renewed its lease',
    run: async (setup) => {
      await using store = await setup.open();
      await store.insert(taskIn(store), ALL);
      const [first] = await claimAll(setup, store, aClaim({ lease_ms: SHORT_MS }), 1);
      const lease = { worker_id: 'worker-1', until: store.now() + LONG_MS };
      if (first) await store.replace(nextOf(first, { lease }), { quiet: true });
      await passTime(setup, store, SHORT_MS);

      const claimed = await store.claim(aClaim({ worker_id: 'worker-2' }));

      expect(first).toBeDefined();
      expect(claimed).toStrictEqual([]);
    },
  },
];
