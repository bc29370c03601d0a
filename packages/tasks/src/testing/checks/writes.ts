import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { nextOf, taskIn } from '#testing/a-task';
import { openPair, passTime, type StoreCheck, turns } from '#testing/check';

const ALL = 1_000;
const LIFE_MS = 120;

/** S1, S3 and S4: what is written, and what is not. */
export const WRITES: readonly StoreCheck[] = [
  {
    title: '[S1] finds what was inserted, also when the one who inserted it is gone',
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
    title: '[S1] refuses an id that its owner has, and keeps the task that has it',
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
    title: '[S1, O2] keeps a task when someone else inserts under its id',
    run: async (setup) => {
      await using store = await setup.open();
      const task = taskIn(store);
      await store.insert(task, ALL);

      // Whether a store has room for two tasks of one id is its own affair: ids are random.
      await store.insert({ ...task, owner_id: 'sub:mallory', status_message: 'mine now' }, ALL);

      expect(await store.get(task.owner_id, task.task_id)).toStrictEqual(task);
      expect(await store.list(task.owner_id, null, 10)).toStrictEqual([task]);
    },
  },
  {
    title: '[S1] inserts one of many that come with one id at once',
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
    title: '[S3] lets exactly one of many concurrent writers win, and tells the others what it wrote',
    run: async (setup) => {
      await using pair = await openPair(setup);
      const task = taskIn(pair[0]);
      await pair[0].insert(task, ALL);
      const drafts = Array.from({ length: 20 }, (_, i) => nextOf(task, { status_message: `writer ${i}` }));

      const answers = await Promise.all(drafts.map((draft, i) => turns(pair, i).replace(draft)));

      const wins = answers.filter(({ ok }) => ok);
      expect(wins).toHaveLength(1);
      const winner = drafts[answers.findIndex(({ ok }) => ok)];
      const told = answers.flatMap((answer) => (answer.ok ? [] : [answer.current]));
      expect(told).toStrictEqual(told.map(() => winner));
      expect(await pair[1].get(task.owner_id, task.task_id)).toStrictEqual(winner);
    },
  },
  {
    title: '[S3] loses no increment of many writers that try again on what they are told',
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
    title: '[S3] refuses a version that is too old or too new, and tells the record as it is',
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
    title: '[S4, SEC-02] does not replace the task of another owner, and tells nothing of it',
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
    title: '[S4] does not replace a task that is missing, and does not make one',
    run: async (setup) => {
      await using store = await setup.open();
      const task = taskIn(store, { task_id: randomUUID() });

      const answers = [await store.replace(task), await store.replace(nextOf(task))];

      expect(answers).toStrictEqual(answers.map(() => ({ ok: false, current: null })));
      expect(await store.get(task.owner_id, task.task_id)).toBeNull();
    },
  },
  {
    title: '[S4] does not replace a task whose life is over, also not to give it a longer one',
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
