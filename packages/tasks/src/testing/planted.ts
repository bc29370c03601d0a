import type { TaskStore } from '#store';
import { isExpired, type TaskRecord } from '#task';
import { nextOf } from './a-task.ts';

export interface Planted {
  readonly fault: string;
  /** The rules whose checks must detect the fault. */
  readonly breaks: readonly string[];
  /** False for a fault that shows only in races, signals or texts. */
  readonly model_notices: boolean;
  /** The store with one guard removed. */
  readonly plant: (store: TaskStore, clock: () => number) => TaskStore;
}

const ALL = 1_000;

/** Wraps a store, and keeps the newest record of each task, for faults that reveal hidden tasks. */
function remembering(store: TaskStore, known: Map<string, TaskRecord>): TaskStore {
  const learn = (record: TaskRecord): void => void known.set(record.task_id, record);
  return {
    ...store,
    insert: async (record, quota) => {
      const answer = await store.insert(record, quota);
      if (answer === 'inserted') learn(record);
      return answer;
    },
    replace: async (record, options) => {
      const answer = await store.replace(record, options);
      if (answer.ok) learn(record);
      return answer;
    },
    claim: async (claim) => {
      const taken = await store.claim(claim);
      for (const record of taken) learn(record);
      return taken;
    },
  };
}

const mapText = (record: TaskRecord, change: (text: string) => string): TaskRecord =>
  // The cast: only the texts of the record change.
  JSON.parse(JSON.stringify(record), (_, value: unknown) =>
    typeof value === 'string' ? change(value) : value,
  ) as TaskRecord;

export const PLANTED: readonly Planted[] = [
  {
    fault: 'an insertion takes over an id that exists',
    breaks: ['S1', 'S13'],
    model_notices: true,
    plant: (store) => ({
      ...store,
      insert: async (record, quota) => {
        const answer = await store.insert(record, quota);
        return answer === 'exists' ? 'inserted' : answer;
      },
    }),
  },
  {
    fault: 'get does not look at the owner',
    breaks: ['S2'],
    model_notices: true,
    plant: (store) => {
      const known = new Map<string, TaskRecord>();
      return {
        ...remembering(store, known),
        get: (owner_id, task_id) => store.get(known.get(task_id)?.owner_id ?? owner_id, task_id),
      };
    },
  },
  {
    fault: 'replace does not look at the version',
    breaks: ['S3', 'S13'],
    model_notices: true,
    plant: (store) => ({
      ...store,
      replace: async (record, options) => {
        const current = await store.get(record.owner_id, record.task_id);
        return store.replace({ ...record, version: (current?.version ?? 0) + 1 }, options);
      },
    }),
  },
  {
    fault: 'replace reads the version first and writes later',
    breaks: ['S3', 'S13'],
    model_notices: false,
    plant: (store) => ({
      ...store,
      replace: async (record, options) => {
        const before = await store.get(record.owner_id, record.task_id);
        if (before?.version !== record.version - 1) return { ok: false, current: before };
        await new Promise(setImmediate);
        const current = await store.get(record.owner_id, record.task_id);
        await store.replace({ ...record, version: (current?.version ?? 0) + 1 }, options);
        return { ok: true };
      },
    }),
  },
  {
    fault: 'the loser of a race does not get the record',
    breaks: ['S3', 'S13'],
    model_notices: true,
    plant: (store) => ({
      ...store,
      replace: async (record, options) => {
        const answer = await store.replace(record, options);
        return answer.ok ? answer : { ok: false, current: null };
      },
    }),
  },
  {
    fault: 'replace writes over a task whose life is over',
    breaks: ['S4'],
    model_notices: true,
    plant: (store) => {
      const known = new Map<string, TaskRecord>();
      const kept = remembering(store, known);
      return {
        ...kept,
        replace: async (record, options) => {
          const answer = await kept.replace(record, options);
          const before = known.get(record.task_id);
          if (!before || before.owner_id !== record.owner_id || !isExpired(before, store.now())) return answer;
          return before.version === record.version - 1 ? { ok: true } : { ok: false, current: before };
        },
      };
    },
  },
  {
    fault: 'the quota is counted before the insertion',
    breaks: ['S5'],
    model_notices: false,
    plant: (store) => ({
      ...store,
      insert: async (record, quota) => {
        const tasks = await store.list(record.owner_id, null, ALL);
        const unfinished = tasks.filter(({ outcome }) => outcome === null);
        if (unfinished.length >= quota) return 'quota_exceeded';
        await new Promise(setImmediate);
        return store.insert(record, ALL);
      },
    }),
  },
  {
    fault: 'the quota counts tasks that have ended',
    breaks: ['S5'],
    model_notices: true,
    plant: (store) => ({
      ...store,
      insert: async (record, quota) => {
        const tasks = await store.list(record.owner_id, null, ALL);
        return tasks.length >= quota ? 'quota_exceeded' : store.insert(record, quota);
      },
    }),
  },
  {
    fault: 'the newest finished tasks are removed instead of the oldest',
    breaks: ['S17'],
    model_notices: false,
    plant: (store) => ({
      ...store,
      trim: async (owner_id, most) => {
        const ended = (await store.list(owner_id, null, ALL)).filter(({ outcome }) => outcome !== null);
        const removed = await store.trim(owner_id, 0);
        const staying = ended.toReversed().slice(0, most);
        for (const task of staying) await store.insert(task, ALL);
        return Math.max(0, removed - staying.length);
      },
    }),
  },
  {
    fault: 'list shows tasks whose life is over',
    breaks: ['S6'],
    model_notices: true,
    plant: (store) => {
      const known = new Map<string, TaskRecord>();
      return {
        ...remembering(store, known),
        list: async (owner_id, after, limit) => {
          const over = [...known.values()].filter((r) => r.owner_id === owner_id && isExpired(r, store.now()));
          return [...(await store.list(owner_id, after, limit)), ...over].slice(0, limit);
        },
      };
    },
  },
  {
    fault: 'a page begins with the task that ended the one before',
    breaks: ['S6'],
    model_notices: true,
    plant: (store) => ({
      ...store,
      list: (owner_id, after, limit) =>
        store.list(owner_id, after && { ...after, task_id: `${after.task_id}~` }, limit),
    }),
  },
  {
    fault: 'claim does not raise the epoch',
    breaks: ['S7', 'S8', 'S13'],
    model_notices: true,
    plant: (store) => ({
      ...store,
      claim: async (claim) => (await store.claim(claim)).map((record) => ({ ...record, epoch: record.epoch - 1 })),
    }),
  },
  {
    fault: 'claims at the same time are given the same tasks',
    breaks: ['S7', 'S13'],
    model_notices: false,
    plant: (store) => {
      let running: ReturnType<TaskStore['claim']> | undefined;
      return {
        ...store,
        claim: async (claim) => {
          running ??= new Promise(setImmediate).then(() => store.claim(claim));
          const taken = await running;
          running = undefined;
          return taken;
        },
      };
    },
  },
  {
    fault: 'claim takes tasks that are held',
    breaks: ['S7', 'S8'],
    model_notices: true,
    plant: (store) => {
      const known = new Map<string, TaskRecord>();
      const kept = remembering(store, known);
      return {
        ...kept,
        claim: async (claim) => {
          for (const { owner_id, task_id } of known.values()) {
            const held = await store.get(owner_id, task_id);
            if (held?.lease) await store.replace(nextOf(held, { lease: null }), { quiet: true });
          }
          return kept.claim(claim);
        },
      };
    },
  },
  {
    fault: 'a lease that has run out is not given again',
    breaks: ['S8'],
    model_notices: true,
    plant: (store) => ({ ...store, claim: (claim) => store.claim({ ...claim, lease_ms: 1e9 }) }),
  },
  {
    fault: 'sweep removes nothing',
    breaks: ['S9'],
    model_notices: true,
    plant: (store) => ({ ...store, sweep: async () => 0 }),
  },
  {
    fault: 'sweep removes tasks that live',
    breaks: ['S9'],
    model_notices: true,
    plant: (store) => {
      let swept = Number.NEGATIVE_INFINITY;
      return {
        ...store,
        sweep: (limit) => {
          swept = store.now();
          return store.sweep(limit);
        },
        list: async (owner_id, after, limit) => {
          const page = await store.list(owner_id, after, limit);
          return page.filter(({ created_at, outcome }) => outcome === null || created_at > swept);
        },
      };
    },
  },
  {
    fault: 'quiet writes are signalled',
    breaks: ['S10'],
    model_notices: false,
    plant: (store) => ({ ...store, replace: (record) => store.replace(record) }),
  },
  {
    fault: 'a signal does not say that a task may be taken',
    breaks: ['S10'],
    model_notices: false,
    plant: (store) => ({
      ...store,
      subscribe: (listener) => store.subscribe((signal) => listener({ ...signal, claimable: false })),
    }),
  },
  {
    fault: 'text goes through UTF-8',
    breaks: ['S11'],
    model_notices: false,
    plant: (store) => ({
      ...store,
      insert: (record, quota) =>
        store.insert(
          mapText(record, (text) => text.toWellFormed()),
          quota,
        ),
    }),
  },
  {
    fault: 'text ends at U+0000',
    breaks: ['S11'],
    model_notices: false,
    plant: (store) => ({
      ...store,
      insert: (record, quota) =>
        store.insert(
          mapText(record, (text) => text.replace(/\0.*$/su, '')),
          quota,
        ),
    }),
  },
  {
    fault: 'callers share the objects of the store',
    breaks: ['S11'],
    model_notices: false,
    plant: (store) => {
      const known = new Map<string, TaskRecord>();
      return {
        ...remembering(store, known),
        get: async (owner_id, task_id) => ((await store.get(owner_id, task_id)) ? (known.get(task_id) ?? null) : null),
      };
    },
  },
  {
    fault: 'a record that is too long is cut',
    breaks: ['S16'],
    model_notices: false,
    plant: (store) => ({
      ...store,
      insert: (record, quota) =>
        store.insert(
          mapText(record, (text) => text.slice(0, 1_000)),
          quota,
        ),
    }),
  },
  {
    fault: 'the clock follows that of the machine',
    breaks: ['S12'],
    model_notices: false,
    plant: (store, clock) => ({ ...store, now: clock }),
  },
  {
    fault: 'reads lag behind writes',
    breaks: ['S13'],
    model_notices: true,
    plant: (store) => {
      const replica = new Map<string, TaskRecord | null>();
      return {
        ...store,
        get: async (owner_id, task_id) => {
          const key = `${owner_id} ${task_id}`;
          const newest = await store.get(owner_id, task_id);
          const seen = replica.get(key) ?? newest;
          replica.set(key, newest);
          return seen;
        },
      };
    },
  },
];
