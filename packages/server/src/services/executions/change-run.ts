import type { Execution } from '#domain/execution';
import type { WriteWork } from '#services/work';
import { addEntry } from './feed.ts';
import { executionEvent, stepEvent } from './run-events.ts';

type Work = Pick<WriteWork, 'tx' | 'caller'>;

/** Ends the steps that a run has left open, since agents forget to: as it ended, so did they. */
async function endSteps({ tx, caller }: Work, execution: Execution): Promise<void> {
  const status = execution.status === 'completed' ? 'completed' : 'failed';
  for (const step of await tx.executions.openSteps(execution)) {
    const ended = { ...step, status, updated_at: tx.now, ended_at: tx.now } as const;
    await tx.executions.updateStep(ended);
    tx.emit(stepEvent('updated', execution, ended, caller));
  }
}

/** Writes what has changed of a run, with all that follows from it. */
export async function changeRun(work: Work, before: Execution, after: Execution): Promise<void> {
  await work.tx.executions.update(after);
  work.tx.emit(executionEvent('updated', after, work.caller));
  if (before.ended_at === null && after.ended_at !== null) await endSteps(work, after);
  if (before.status === after.status) return;
  const { status, reason } = after;
  await addEntry(work, after, { kind: 'status', text: reason === null ? status : `${status}: ${reason}` });
}
