import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { nextOf, taskIn } from '#testing/a-task';
import { openPair, passTime, type StoreCheck, turns } from '#testing/check';

const ALL = 1_000;
const LIFE_MS = 120;

/** Rules S1, S3 and S4: inserts and replacements. */
export const WRITES: readonly StoreCheck[] = [
  {
    title: '[S1] finds an inserted task, also after the inserting object was closed',
    shared: true,
    run: async (setup) => {
      await using pair = await openPair(setup);
      const [first, second] = pair;
      const task = taskIn(first);

      const inserted = await first.insert(task, ALL);
      await first.close();

      expect(inserted).toBe('inserted');
      expect(await second.get(task.owner_id, task.task_id)).toStrictEqual(task);
    },
  },
  {
    title: '[S1] refuses an id that the owner already uses, and keeps the existing task',
    run: async (setup) => {
      await using store = await setup.open();
      const task = taskIn(store);
      await store.insert(task, ALL);

      const again = await store.insert({ ...task, status_message: 'mine now' }, ALL);

      expect(again).toBe('exists');
      expect(await store.get(task.owner_id, task.task_id)).toStrictEqual(task);
    },
  },
  {
    title: '[S1, O2] keeps a task when another owner inserts one with the same id',
    run: async (setup) => {
      await using store = await setup.open();
      const task = taskIn(store);
      await store.insert(task, ALL);

      // A store may accept or refuse two tasks with the same id: ids are random.
      await store.insert({ ...task, owner_id: 'sub:mallory', status_message: 'mine now' }, ALL);

      expect(await store.get(task.owner_id, task.task_id)).toStrictEqual(task);
      expect(await store.list(task.owner_id, null, 10)).toStrictEqual([task]);
    },
  },
  {
    title: '[S1] inserts one of many tasks with the same id at once',
    run: async (setup) => {
      await using pair = await openPair(setup);
      const task = taskIn(pair[0]);
      const candidates = Array.from({ length: 20 }, (_, i) => ({ ...task, status_message: `candidate ${i}` }));

      const answers = await Promise.all(candidates.map((candidate, i) => turns(pair, i).insert(candidate, ALL)));

      expect(answers.filter((answer) => answer === 'inserted')).toHaveLength(1);
      expect(answers.filter((answer) => answer === 'exists')).toHaveLength(19);
      const winner = candidates[answers.indexOf('inserted')];
      expect(await pair[1].get(task.owner_id, task.task_id)).toStrictEqual(winner);
    },
  },
  {
    title: '[S3] lets exactly one of many concurrent writers win, and returns its record to the others',
    run: async (setup) => {
      await using pair = await openPair(setup);
      const task = taskIn(pair[0]);
      await pair[0].insert(task, ALL);
      const drafts = Array.from({ length: 20 }, (_, i) => nextOf(task, { status_message: `writer ${i}` }));

      const answers = await Promise.all(drafts.map((draft, i) => turns(pair, i).replace(draft)));

      const wins = answers.filter(({ ok }) => ok);
      expect(wins).toHaveLength(1);
      const winner = drafts[answers.findIndex(({ ok }) => ok)];
      const losers = answers.flatMap((answer) => (answer.ok ? [] : [answer.current]));
      expect(losers).toStrictEqual(losers.map(() => winner));
      expect(await pair[1].get(task.owner_id, task.task_id)).toStrictEqual(winner);
    },
  },
  {
    title: '[S3] loses no increment when many writers retry with the returned record',
    run: async (setup) => {
      await using pair = await openPair(setup);
      const task = taskIn(pair[0], { variables: { count: 0 } });
      await pair[0].insert(task, ALL);
      const increment = async (store = pair[0]): Promise<void> => {
        let seen = await store.get(task.owner_id, task.task_id);
        for (let attempt = 0; seen && attempt < 500; attempt += 1) {
          const answer = await store.replace(nextOf(seen, { variables: { count: Number(seen.variables.count) + 1 } }));
          if (answer.ok) return;
          seen = answer.current;
        }
      };

      await Promise.all(Array.from({ length: 12 }, (_, i) => increment(turns(pair, i))));

      const end = await pair[1].get(task.owner_id, task.task_id);
      expect(end).toStrictEqual({ ...task, version: 13, variables: { count: 12 } });
    },
  },
  {
    title: '[S3] refuses a version that is too old or too new, and returns the current record',
    run: async (setup) => {
      await using store = await setup.open();
      const task = taskIn(store);
      await store.insert(task, ALL);
      const second = nextOf(task, { status_message: 'second' });
      await store.replace(second);

      const stale = await store.replace(nextOf(task, { status_message: 'late' }));
      const same = await store.replace({ ...task, status_message: 'same version' });
      const early = await store.replace({ ...task, version: 4, status_message: 'early' });

      const refused = { ok: false, current: second };
      expect([stale, same, early]).toStrictEqual([refused, refused, refused]);
      expect(await store.get(task.owner_id, task.task_id)).toStrictEqual(second);
    },
  },
  {
    title: '[S4, SEC-02] does not replace the task of another owner, and reveals nothing about it',
    run: async (setup) => {
      await using store = await setup.open();
      const task = taskIn(store);
      await store.insert(task, ALL);

      const answer = await store.replace(nextOf(task, { owner_id: 'sub:mallory', status_message: 'stolen' }));

      expect(answer).toStrictEqual({ ok: false, current: null });
      expect(await store.get(task.owner_id, task.task_id)).toStrictEqual(task);
      expect(await store.get('sub:mallory', task.task_id)).toBeNull();
    },
  },
  {
    title: '[S4] does not replace a missing task, and does not create one',
    run: async (setup) => {
      await using store = await setup.open();
      const task = taskIn(store, { task_id: randomUUID() });

      const answers = [await store.replace(task), await store.replace(nextOf(task))];

      expect(answers).toStrictEqual(answers.map(() => ({ ok: false, current: null })));
      expect(await store.get(task.owner_id, task.task_id)).toBeNull();
    },
  },
  {
    title: '[S4] does not replace an expired task, also not to extend its TTL',
    run: async (setup) => {
      await using store = await setup.open();
      const task = taskIn(store, { ttl_ms: LIFE_MS });
      await store.insert(task, ALL);
      await passTime(setup, store, LIFE_MS);

      const answers = [await store.replace(nextOf(task)), await store.replace(nextOf(task, { ttl_ms: null }))];

      expect(answers).toStrictEqual(answers.map(() => ({ ok: false, current: null })));
      expect(await store.get(task.owner_id, task.task_id)).toBeNull();
    },
  },
];
