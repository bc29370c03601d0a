import type { Change } from '#changes';
import { taskNotFound } from '#errors';
import type { TaskStore } from '#store';
import type { TaskRecord } from '#task';

export interface ChangeOptions {
  /** Starts from this record instead of reading it. */
  readonly from?: TaskRecord;
  readonly quiet?: boolean;
}

export type ChangeTask = (
  owner_id: string,
  task_id: string,
  change: Change,
  options?: ChangeOptions,
) => Promise<TaskRecord>;

/** Applies a change to the current record. When another writer was first, it applies the change to the new record. */
export const createChangeTask =
  (store: TaskStore): ChangeTask =>
  async (owner_id, task_id, change, { from, quiet = false } = {}) => {
    let current = from ?? (await store.get(owner_id, task_id));
    while (current !== null) {
      const changed = change(current, store.now());
      if (changed === current) return current;
      const next = { ...changed, version: current.version + 1 };
      const replaced = await store.replace(next, { quiet });
      if (replaced.ok) return next;
      current = replaced.current;
    }
    throw taskNotFound();
  };
