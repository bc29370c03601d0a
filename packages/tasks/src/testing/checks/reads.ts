import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { TaskStore } from '#store';
import type { TaskRecord } from '#task';
import { finished, nextOf, taskIn } from '#testing/a-task';
import { openPair, passTime, type StoreCheck } from '#testing/check';

const ALL = 1_000;
const LIFE_MS = 120;
const OWNER = 'sub:alice';

const newestFirst = (a: TaskRecord, b: TaskRecord): number =>
  b.created_at - a.created_at || (a.task_id < b.task_id ? 1 : -1);

async function pagesOf(store: TaskStore, limit: number): Promise<readonly (readonly TaskRecord[])[]> {
  const pages: (readonly TaskRecord[])[] = [];
  let last: TaskRecord | undefined;
  do {
    const page = await store.list(OWNER, last ?? null, limit);
    pages.push(page);
    last = page.at(-1);
    // A store whose pages repeat must fail, not loop for ever.
  } while (last && pages.length < 50);
  return pages;
}

/** Rules S2 and S6: reads and lists. */
export const READS: readonly StoreCheck[] = [
  {
    title: '[S2, SEC-02] returns a task only to its owner',
    run: async (setup) => {
      await using store = await setup.open();
      const task = taskIn(store);
      await store.insert(task, ALL);

      const found = await store.get(task.owner_id, task.task_id);
      const strangers = await Promise.all(
        ['sub:mallory', 'client:alice', 'sub:Alice', 'sub:alice ', 'sub:alic_', 'sub:%', ''].map((owner_id) =>
          store.get(owner_id, task.task_id),
        ),
      );

      expect(found).toStrictEqual(task);
      expect(strangers).toStrictEqual(strangers.map(() => null));
      expect(await store.get(task.owner_id, randomUUID())).toBeNull();
    },
  },
  {
    title: '[S2, T6] does not find an expired task, in any status, and still finds others',
    run: async (setup) => {
      await using store = await setup.open();
      const brief = taskIn(store, { ttl_ms: LIFE_MS });
      const ended = taskIn(store, { ttl_ms: LIFE_MS });
      const endless = taskIn(store, { ttl_ms: null });
      const long = taskIn(store);
      for (const task of [brief, ended, endless, long]) await store.insert(task, ALL);
      await store.replace(finished(ended));

      await passTime(setup, store, LIFE_MS);

      expect(await store.get(OWNER, brief.task_id)).toBeNull();
      expect(await store.get(OWNER, ended.task_id)).toBeNull();
      expect(await store.get(OWNER, endless.task_id)).toStrictEqual(endless);
      expect(await store.get(OWNER, long.task_id)).toStrictEqual(long);
    },
  },
  {
    title: '[S6, SEC-03] lists the tasks of one owner only',
    run: async (setup) => {
      await using store = await setup.open();
      const mine = taskIn(store);
      await store.insert(mine, ALL);
      await store.insert(taskIn(store, { owner_id: 'sub:mallory' }), ALL);

      const listed = await store.list(OWNER, null, 100);

      expect(listed).toStrictEqual([mine]);
      expect(await store.list('sub:nobody', null, 100)).toStrictEqual([]);
    },
  },
  {
    title: '[S6] lists newest first, then by id, in pages of the requested size',
    run: async (setup) => {
      await using store = await setup.open();
      const now = store.now();
      const tasks = Array.from({ length: 23 }, (_, i) => taskIn(store, { created_at: now - Math.floor(i / 4) }));
      await Promise.all(tasks.map((task) => store.insert(task, ALL)));

      const pages = await pagesOf(store, 5);

      expect(pages.map(({ length }) => length)).toStrictEqual([5, 5, 5, 5, 3, 0]);
      expect(pages.flat()).toStrictEqual(tasks.toSorted(newestFirst));
    },
  },
  {
    title: '[S6] lists a task that was just written through another object',
    run: async (setup) => {
      await using pair = await openPair(setup);
      const [first, second] = pair;
      const seen: (TaskRecord | undefined)[] = [];
      const written: TaskRecord[] = [];

      for (let i = 0; i < 10; i += 1) {
        const task = taskIn(first, { created_at: first.now() + i });
        await first.insert(task, ALL);
        const changed = nextOf(task, { status_message: `change ${i}` });
        await second.replace(changed);
        written.push(changed);
        seen.push((await first.list(OWNER, null, 1))[0]);
      }

      expect(seen).toStrictEqual(written);
    },
  },
  {
    title: '[S6, T6] leaves out expired tasks, and continues after the position of one',
    run: async (setup) => {
      await using store = await setup.open();
      const now = store.now();
      const older = taskIn(store, { created_at: now - 2 });
      const brief = taskIn(store, { created_at: now - 1, ttl_ms: LIFE_MS });
      const newer = taskIn(store, { created_at: now });
      for (const task of [older, brief, newer]) await store.insert(task, ALL);

      await passTime(setup, store, LIFE_MS);

      expect(await store.list(OWNER, null, 100)).toStrictEqual([newer, older]);
      expect(await store.list(OWNER, null, 2)).toStrictEqual([newer, older]);
      expect(await store.list(OWNER, brief, 100)).toStrictEqual([older]);
    },
  },
  {
    title: '[S6] shows each task once to a client that pages while others insert',
    run: async (setup) => {
      await using pair = await openPair(setup);
      const [first, second] = pair;
      const now = first.now();
      const there = Array.from({ length: 30 }, (_, i) => taskIn(first, { created_at: now - i }));
      await Promise.all(there.map((task) => first.insert(task, ALL)));
      const more = Array.from({ length: 30 }, (_, i) => taskIn(first, { created_at: now + i }));

      const inserting = Promise.all(more.map((task) => second.insert(task, ALL)));
      const walks = await Promise.all([pagesOf(first, 4), pagesOf(second, 7)]);
      await inserting;

      for (const walk of walks) {
        const ids = walk.flat().map(({ task_id }) => task_id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(there.filter(({ task_id }) => !ids.includes(task_id))).toStrictEqual([]);
      }
      expect((await pagesOf(first, 100)).flat()).toStrictEqual([...there, ...more].toSorted(newestFirst));
    },
  },
];
