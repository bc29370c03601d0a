import type { Item } from './item.ts';

const MAX_TASKS = 1_000;
const FRESH_MS = 10_000;

export interface Candidate {
  readonly key: Item;
  readonly tool: string;
  /** The time from which the task can be claimed. */
  readonly claim_at: number;
}

/** Tasks that this process wrote and that the index may not show yet. */
export interface FreshTasks {
  readonly add: (candidate: Candidate) => void;
  readonly drop: (key: Item) => void;
  readonly of: (tools: readonly string[]) => readonly Candidate[];
}

export const nameOfKey = ({ owner_id, task_id }: Item): string => JSON.stringify([owner_id?.S, task_id?.S]);

export function createFreshTasks(): FreshTasks {
  const tasks = new Map<string, Candidate & { readonly until: number }>();

  const forgetOld = (): void => {
    for (const [name, { until }] of tasks) {
      if (until > performance.now() && tasks.size <= MAX_TASKS) return;
      tasks.delete(name);
    }
  };

  return {
    add: (candidate) => {
      const name = nameOfKey(candidate.key);
      tasks.delete(name);
      tasks.set(name, { ...candidate, until: performance.now() + FRESH_MS });
      forgetOld();
    },
    drop: (key) => {
      tasks.delete(nameOfKey(key));
    },
    of: (tools) => {
      forgetOld();
      return [...tasks.values()].filter(({ tool }) => tools.includes(tool));
    },
  };
}
