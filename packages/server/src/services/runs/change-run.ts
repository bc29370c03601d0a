import type { Execution } from '#domain/run';
import type { Transaction } from '#store/store';
import { addEntry } from './feed.ts';
import { type Actor, executionEvent, stepEvent } from './run-events.ts';

/** `caller` is null for what the runner or the clock does. */
interface Work {
  readonly tx: Transaction;
  readonly caller: Actor | null;
}

/** Ends the steps that a run has left open, since agents forget to: as it ended, so did they. */
async function endSteps({ tx, caller }: Work, execution: Execution): Promise<void> {
  const status = execution.status === 'completed' ? 'completed' : 'failed';
  for (const step of await tx.executions.openSteps(execution)) {
    const ended = { ...step, status, updated_at: tx.now, ended_at: tx.now } as const;
    await tx.executions.updateStep(ended);
    tx.emit(stepEvent('updated', execution, ended, caller));
  }
}

/** Lets what comes after this run resume where the agent says it is. */
async function keepSession({ tx }: Work, execution: Execution): Promise<void> {
  const { workspace_id, project_id, session_id, agent_session_id } = execution;
  if (session_id === null || project_id === null) return;
  const found = await tx.attempts.session({ workspace_id, project_ids: [project_id] }, session_id);
  if (found === null) return;
  await tx.attempts.updateSession({ ...found.session, agent_session_id, updated_at: tx.now });
}

/** Writes what has changed of a run, with all that follows from it. */
export async function changeRun(work: Work, before: Execution, after: Execution): Promise<void> {
  await work.tx.executions.update(after);
  work.tx.emit(executionEvent('updated', after, work.caller));
  // After its end another may have begun in the same session.
  if (before.ended_at === null && before.agent_session_id !== after.agent_session_id) await keepSession(work, after);
  if (before.ended_at === null && after.ended_at !== null) await endSteps(work, after);
  if (before.status === after.status) return;
  const { status, reason } = after;
  await addEntry(work, after, { kind: 'status', text: reason === null ? status : `${status}: ${reason}` });
}
