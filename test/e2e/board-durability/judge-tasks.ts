import type { StoredRun } from './judge-runs.ts';
import type { FollowedTask, Ledger } from './ledger.ts';
import type { Talk } from './talk.ts';
import { type TaskView, viewTask } from './task-view.ts';

/** Checks one task against the outcome of its run. */
function judgeTask(
  { key, revision, isCancelled }: FollowedTask,
  view: TaskView,
  run: StoredRun | undefined,
): string | null {
  const state = `task ${key} (${revision}) is ${view.status}, its run ${run?.status ?? 'none'}`;
  // A cancellation at the very end may find the run already ended.
  if (view.status === 'cancelled') return isCancelled ? null : `${state}, and nobody has cancelled it`;
  // A queued follow-up is identified by its message, not by the run that it became.
  const isOther = view.execution_id !== null && view.execution_id !== run?.id;
  if (isOther) return `${state}, and it follows ${view.execution_id}`;
  // A withdrawn follow-up never ran.
  const status = run?.status ?? 'killed';
  const isGood = status === 'completed';
  const expected = isGood || revision === '2026-07-28' ? 'completed' : 'failed';
  if (view.status !== expected || view.is_error === isGood) return state;
  return view.run_status === status ? null : `${state}, and its result says ${view.run_status}`;
}

/** Checks the MCP tasks: each ended as its run did. */
export async function judgeTasks(
  talk: Talk,
  { tasks }: Pick<Ledger, 'tasks'>,
  runs: readonly StoredRun[],
): Promise<readonly string[]> {
  const byKey = new Map(runs.map((run) => [run.key, run]));
  const found: string[] = [];
  for (const task of tasks) {
    const fault = judgeTask(task, await viewTask(talk, task), byKey.get(task.key));
    if (fault !== null) found.push(fault);
  }
  return found;
}
