import { expect } from 'vitest';
import { finished, taskIn } from '#testing/a-task';
import { openPair, passTime, type StoreCheck, turns } from '#testing/check';

const LIFE_MS = 120;
const OWNER = 'sub:alice';

/** Rule S5: the quota of unfinished tasks per owner. */
export const QUOTA: readonly StoreCheck[] = [
  {
    title: '[S5, O3, SEC-04] fills the quota exactly when 50 clients insert at once and 60 of 100 are used',
    run: async (setup) => {
      await using pair = await openPair(setup);
      await Promise.all(Array.from({ length: 60 }, () => pair[0].insert(taskIn(pair[0]), 100)));

      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, i) => turns(pair, i).insert(taskIn(pair[0]), 100)),
      );

      expect(answers.filter((answer) => answer === 'inserted')).toHaveLength(40);
      expect(answers.filter((answer) => answer === 'quota_exceeded')).toHaveLength(10);
      expect(await pair[1].list(OWNER, null, 1_000)).toHaveLength(100);
    },
  },
  {
    title: '[S5, O3] keeps nothing of a task that it refuses',
    run: async (setup) => {
      await using store = await setup.open();
      const [there, refused] = [taskIn(store), taskIn(store)];
      await store.insert(there, 1);

      const answer = await store.insert(refused, 1);

      expect(answer).toBe('quota_exceeded');
      expect(await store.get(OWNER, refused.task_id)).toBeNull();
      expect(await store.list(OWNER, null, 10)).toStrictEqual([there]);
    },
  },
  {
    title: '[S5, O3] does not count tasks of other owners, ended tasks and expired tasks',
    run: async (setup) => {
      await using store = await setup.open();
      const ended = taskIn(store);
      await store.insert(taskIn(store, { owner_id: 'sub:mallory' }), 1);
      await store.insert(ended, 1);
      await store.replace(finished(ended));
      await store.insert(taskIn(store, { ttl_ms: LIFE_MS }), 1);
      const full = setup.advance ? await store.insert(taskIn(store), 1) : 'quota_exceeded';

      await passTime(setup, store, LIFE_MS);
      const answers = [await store.insert(taskIn(store), 1), await store.insert(taskIn(store), 1)];

      expect(full).toBe('quota_exceeded');
      expect(answers).toStrictEqual(['inserted', 'quota_exceeded']);
    },
  },
  {
    title: '[S5, O3] counts a task from insert to end, in every status and with any lease',
    run: async (setup) => {
      await using store = await setup.open();
      const waiting = taskIn(store, { status: 'input_required' });
      await store.insert(waiting, 2);
      await store.insert(taskIn(store), 2);
      await store.claim({ worker_id: 'worker', tools: ['count'], lease_ms: 60_000, limit: 1 });

      const full = await store.insert(taskIn(store), 2);
      const held = await store.get(OWNER, waiting.task_id);
      if (held) await store.replace(finished(held));
      const free = await store.insert(taskIn(store), 2);

      expect([full, free]).toStrictEqual(['quota_exceeded', 'inserted']);
    },
  },
  {
    title: '[S17, O4, SEC-04] removes the oldest finished tasks of an owner, not unfinished ones or those of others',
    run: async (setup) => {
      await using store = await setup.open();
      const at = store.now();
      const aged = (age: number, owner_id = OWNER) => taskIn(store, { created_at: at - age, owner_id });
      const ended = [aged(5), aged(4), aged(3), aged(2)];
      const [unfinished, foreign] = [aged(9), aged(9, 'sub:mallory')];
      for (const task of [...ended, unfinished, foreign]) await store.insert(task, 10);
      for (const task of [...ended, foreign]) await store.replace(finished(task));

      const removed = [await store.trim(OWNER, 2), await store.trim(OWNER, 2), await store.trim('sub:nobody', 0)];

      const left = (await store.list(OWNER, null, 10)).map(({ task_id }) => task_id);
      expect(removed).toStrictEqual([2, 0, 0]);
      expect(left).toStrictEqual([ended[3], ended[2], unfinished].map((task) => task?.task_id));
      expect(await store.get(OWNER, ended[0]?.task_id ?? '')).toBeNull();
      expect(await store.get('sub:mallory', foreign.task_id)).not.toBeNull();
      expect(await store.insert(taskIn(store), 2)).toBe('inserted');
    },
  },
];
