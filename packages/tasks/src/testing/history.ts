import type { Claim, Inserted, Replaced, TaskStore } from '#store';
import type { TaskRecord } from '#task';

/** An operation on one task and the store's answer. A null outcome means that the answer is unknown. */
export type Step =
  | { readonly kind: 'insert'; readonly record: TaskRecord; readonly outcome: Inserted | null }
  | { readonly kind: 'replace'; readonly record: TaskRecord; readonly outcome: Replaced | null }
  | { readonly kind: 'claim'; readonly claim: Claim; readonly outcome: TaskRecord | null }
  | {
      readonly kind: 'get';
      readonly owner_id: string;
      readonly task_id: string;
      readonly outcome: TaskRecord | null;
    };

/** A step took effect at one moment between `call` and `end`; with an unknown outcome at any later time, or never. */
export interface Operation {
  readonly call: number;
  readonly end: number;
  readonly step: Step;
}

/** The operations on all recorded stores. One counter orders all calls and returns. */
export interface History {
  readonly operations: Operation[];
  readonly tick: () => number;
}

export function createHistory(): History {
  let count = 0;
  return {
    operations: [],
    tick: () => {
      count += 1;
      return count;
    },
  };
}

/** Wraps a store, and writes every operation on a task into the history. */
export function record(store: TaskStore, { operations, tick }: History): TaskStore {
  const observe = async <T>(
    run: () => Promise<T>,
    steps: (answer: T) => readonly Step[],
    unknown: readonly Step[],
  ): Promise<T> => {
    const call = tick();
    try {
      const answer = await run();
      const end = tick();
      for (const step of steps(answer)) operations.push({ call, end, step });
      return answer;
    } catch (error) {
      for (const step of unknown) operations.push({ call, end: Number.POSITIVE_INFINITY, step });
      throw error;
    }
  };
  const asRead = (seen: TaskRecord): Step => ({
    kind: 'get',
    owner_id: seen.owner_id,
    task_id: seen.task_id,
    outcome: seen,
  });

  return {
    name: store.name,
    max_record_bytes: store.max_record_bytes,
    now: () => store.now(),
    insert: (task, quota) =>
      observe(
        () => store.insert(task, quota),
        (outcome) => [{ kind: 'insert', record: task, outcome }],
        [{ kind: 'insert', record: task, outcome: null }],
      ),
    get: (owner_id, task_id) =>
      observe(
        () => store.get(owner_id, task_id),
        (outcome) => [{ kind: 'get', owner_id, task_id, outcome }],
        [],
      ),
    replace: (task, options) =>
      observe(
        () => store.replace(task, options),
        (outcome) => [{ kind: 'replace', record: task, outcome }],
        [{ kind: 'replace', record: task, outcome: null }],
      ),
    list: (owner_id, after, limit) =>
      observe(
        () => store.list(owner_id, after, limit),
        (page) => page.map(asRead),
        [],
      ),
    claim: (claim) =>
      observe(
        () => store.claim(claim),
        (taken) => taken.map((outcome) => ({ kind: 'claim', claim, outcome })),
        [{ kind: 'claim', claim, outcome: null }],
      ),
    sweep: (limit) => store.sweep(limit),
    trim: (owner_id, most) => store.trim(owner_id, most),
    subscribe: (listener) => store.subscribe(listener),
    close: () => store.close(),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}
