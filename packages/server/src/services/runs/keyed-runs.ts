import type { Run, RunKeys } from '#domain/run';
import type { ReadWork } from '#services/work';

/** A run with the short names of its task and its attempt. */
export type KeyedRun = Run & RunKeys;

const NO_KEYS: RunKeys = { task_key: null, attempt_key: null };

/** The runs with the short names of what they are about. A run without a task costs nothing. */
export async function keyedRuns({ tx, caller }: ReadWork, runs: readonly Run[]): Promise<readonly KeyedRun[]> {
  const ofTasks = runs.filter(({ work_item_id }) => work_item_id !== null).map(({ id }) => id);
  if (ofTasks.length === 0) return runs.map((run) => ({ ...run, ...NO_KEYS }));
  const keys = await tx.names.keysOfRuns(caller.workspace_id, ofTasks);
  return runs.map((run) => ({ ...run, ...(keys.get(run.id) ?? NO_KEYS) }));
}

export async function keyedRun(work: ReadWork, run: Run): Promise<KeyedRun> {
  const [keyed] = await keyedRuns(work, [run]);
  return keyed ?? { ...run, ...NO_KEYS };
}
