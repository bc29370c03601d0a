import type { Attempt, AttemptRow } from '#domain/attempt';
import type { AttemptId } from '#domain/ids';
import { emitAttempt } from '#services/attempts/attempt-events';
import { attemptsOfItem } from '#services/attempts/attempts-of-item';
import { mustBeUnmoved } from '#services/attempts/delete-item';
import { emitTask } from '#services/attempts/task-state';
import type { Ports } from '#services/ports';
import { applyRunEvent } from '#services/runs/apply-event';
import type { Actor } from '#services/runs/run-events';
import type { WriteWork } from '#services/work';
import type { Transaction } from '#store/store';
import { attemptOf } from './lookup.ts';
import { takeBackWaiting } from './take-back-waiting.ts';

/** The other attempts at the task of this one that are neither merged nor archived. */
async function othersOf(tx: Transaction, { workspace_id, project_id, work_item_id, id }: Attempt) {
  const item = await tx.workItems.find({ workspace_id, project_ids: [project_id] }, work_item_id);
  const all = item === null ? [] : await attemptsOfItem(tx, item);
  const others = all.filter((other) => other.id !== id && other.archived_at === null && other.merged_at === null);
  return { item, others };
}

interface Stopping {
  readonly tx: Transaction;
  readonly ids: Ports['ids'];
  readonly caller: Actor;
}

/** Ends the run of an attempt, if one goes on. */
export async function stopRun(work: Stopping, attempt: Attempt): Promise<void> {
  const { tx } = work;
  const [latest] = await tx.attempts.runs(attempt, 1);
  const entry = latest === undefined || latest.ended_at !== null ? null : await tx.queue.find(latest);
  if (entry !== null) await applyRunEvent(work, entry, { type: 'stop' });
}

/** Takes back what waits for an attempt, asks for the removal of its folders, and ends its run. Its branch stays. */
async function archive({ tx, ids, caller }: Stopping, attempt: AttemptRow): Promise<AttemptRow> {
  await takeBackWaiting(tx, attempt);
  const { host_id, removal } = attempt;
  const archived: AttemptRow = {
    ...attempt,
    archived_at: tx.now,
    removal: host_id === null ? removal : (removal ?? 'requested'),
    state: 'archived',
    updated_at: tx.now,
  };
  await tx.attempts.update(archived);
  await emitAttempt(tx, 'updated', archived);
  // After the attempt is archived: what follows from the end of a run is then that of an archived attempt.
  await stopRun({ tx, ids, caller }, attempt);
  return archived;
}

/** Archives all other live attempts at the task of the chosen one. Returns those that it archived. */
export async function archiveOthers(
  tx: Transaction,
  ids: Ports['ids'],
  chosen: Attempt,
  caller: Actor,
): Promise<readonly AttemptRow[]> {
  const { item, others } = await othersOf(tx, chosen);
  const archived: AttemptRow[] = [];
  for (const other of others) archived.push(await archive({ tx, ids, caller }, other));
  if (item !== null && archived.length > 0) emitTask(tx, item);
  return archived;
}

interface Chosen {
  readonly attempt: AttemptRow;
  readonly archived: readonly AttemptRow[];
}

/** Of several attempts at a task, a person goes on with one. */
export const createSiblings = ({ ids }: Ports) => ({
  /** Archives all others. An archived attempt that is chosen is so no more. */
  choose: async (work: WriteWork, id: AttemptId): Promise<Chosen> => {
    const { tx, caller } = work;
    const before = await attemptOf(work, id);
    if (before.archived_at !== null) {
      const back: Attempt = { ...before, archived_at: null, updated_at: tx.now };
      await tx.attempts.update(back);
      await emitAttempt(tx, 'updated', back);
    }
    const { item, others } = await othersOf(tx, before);
    // A merge that has begun is not archived half done.
    if (item !== null && others.length > 0) await mustBeUnmoved(tx, item, 'Choose an attempt');
    const archived = await archiveOthers(tx, ids, before, caller);
    work.changed(before, { id, archived: archived.map((attempt) => attempt.id) });
    return { attempt: before, archived };
  },
});
