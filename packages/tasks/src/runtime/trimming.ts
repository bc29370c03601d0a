import type { TaskStore } from '#store';

/** Counting finished tasks costs more than creating one. So it is done once per this part of the limit. */
const PART_BETWEEN = 0.01;

const MAX_OWNERS_COUNTED = 10_000;

interface Needs {
  readonly store: Pick<TaskStore, 'trim'>;
  readonly most: number;
  readonly report: (error: unknown, task_id: string | null) => void;
}

/** Removes finished tasks of each owner beyond the limit. At most one hundredth more than the limit is kept. */
export function createTrimming({ store, most, report }: Needs) {
  const every = Math.max(1, Math.floor(most * PART_BETWEEN));
  const made = new Map<string, number>();
  const running = new Map<string, Promise<void>>();

  async function trim(owner_id: string): Promise<void> {
    try {
      await store.trim(owner_id, most);
    } catch (error) {
      report(error, null);
    }
    running.delete(owner_id);
  }

  return {
    /** Counts a new task of the owner. */
    count: (owner_id: string): void => {
      const count = made.get(owner_id) ?? 0;
      if (made.size >= MAX_OWNERS_COUNTED) made.clear();
      made.set(owner_id, (count + 1) % every);
      if (count === 0 && !running.has(owner_id)) running.set(owner_id, trim(owner_id));
    },
    /** Resolves when no removal is running. */
    settled: async (): Promise<void> => void (await Promise.all(running.values())),
  };
}
