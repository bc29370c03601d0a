import type { Attempt } from '#domain/attempt';
import type { WorkItem } from '#domain/work-item';
import type { Transaction } from '#store/store';
import { attemptsOfItem } from './attempts-of-item.ts';

/** How many runs of an attempt are searched for one that began. */
const MAX_LOOKED_AT = 100;

async function hasRun(tx: Transaction, attempt: Attempt): Promise<boolean> {
  for (const run of await tx.attempts.runs(attempt, MAX_LOOKED_AT)) {
    const entry = await tx.queue.find(run);
    if (entry !== null && entry.spawned_at !== null) return true;
  }
  return false;
}

/** Whether an agent was ever started for an item: only then can there be work to review. */
export async function wasBegun(tx: Transaction, item: WorkItem): Promise<boolean> {
  for (const attempt of await attemptsOfItem(tx, item)) if (await hasRun(tx, attempt)) return true;
  return false;
}
