import type { Attempt } from '#domain/attempt';
import type { QueuedRun } from '#domain/queued-run';
import { isOver } from '#domain/run';
import { advance, type RunEvent } from '#domain/run-machine';
import { emitAttempt } from '#services/attempts/attempt-events';
import type { Ports } from '#services/ports';
import type { Transaction } from '#store/store';
import { changeRun } from './change-run.ts';
import { attemptOfRun, finishAttemptRun } from './finish.ts';
import { type Actor, runEvent } from './run-events.ts';

export interface EventWork {
  readonly tx: Transaction;
  readonly ids: Ports['ids'];
  /** Who caused the event; null for a worker. */
  readonly caller?: Actor | null;
}

/** Writes one event of a run and everything that follows from it. Resolves to null when the state of the run refuses the event. */
export async function applyRunEvent(work: EventWork, before: QueuedRun, event: RunEvent): Promise<QueuedRun | null> {
  const { tx, caller = null } = work;
  const after = advance(before, event, tx.now);
  if (after === null || after === before) return after;
  await tx.queue.update(after);
  if (after.run.status !== before.run.status) await followStatus(work, [before, after], event);
  else if (event.type === 'stop') {
    if (after.run !== before.run) await tx.runs.update(after.run);
    tx.emit(runEvent('updated', after.run, caller));
  }
  return after;
}

/** The status of the run has changed: its token ends with it, and its attempt shows the same status. */
async function followStatus(
  { tx, ids }: EventWork,
  [before, after]: readonly [QueuedRun, QueuedRun],
  event: RunEvent,
): Promise<void> {
  const { status, workspace_id } = after.run;
  await changeRun({ tx, caller: null }, before.run, after.run);
  if (before.token_id !== null && status !== 'running') await tx.tokens.revoke(workspace_id, before.token_id, tx.now);
  const attempt = await attemptOfRun(tx, after);
  if (isOver(status)) {
    const { outside = attempt.outside } = event.type === 'finish' ? event.ending : {};
    const ended: Attempt = { ...attempt, run_status: status, outside };
    const checked = event.type === 'finish' ? event.checked : undefined;
    return finishAttemptRun(tx, ids, { entry: after, attempt: ended, checked });
  }
  // What the checks said is not true of the work that begins.
  const held = status === 'running' ? { removal: null, host_id: after.host_id, verdict: null, verdict_at: null } : {};
  const changed: Attempt = { ...attempt, ...held, run_status: status, updated_at: tx.now };
  await tx.attempts.update(changed);
  await emitAttempt(tx, 'updated', changed);
}
