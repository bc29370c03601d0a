import type { Run } from '#domain/run';
import type { Transaction } from '#store/store';
import { addEntry } from './feed.ts';
import { type Actor, runEvent, stepEvent } from './run-events.ts';

/** `caller` is null for a change by a worker or by the clock. */
interface Work {
  readonly tx: Transaction;
  readonly caller: Actor | null;
}

/** Ends the steps that a run has left open, completed or failed as the run itself. */
async function endSteps({ tx, caller }: Work, run: Run): Promise<void> {
  const status = run.status === 'completed' ? 'completed' : 'failed';
  for (const step of await tx.runs.openSteps(run)) {
    const ended = { ...step, status, updated_at: tx.now, ended_at: tx.now } as const;
    await tx.runs.updateStep(ended);
    tx.emit(stepEvent('updated', run, ended, caller));
  }
}

/** Keeps the agent's session id in the session, so that the next run can resume it. */
async function keepSession({ tx }: Work, run: Run): Promise<void> {
  const { workspace_id, project_id, session_id, agent_session_id } = run;
  if (session_id === null || project_id === null) return;
  const found = await tx.attempts.session({ workspace_id, project_ids: [project_id] }, session_id);
  if (found === null) return;
  await tx.attempts.updateSession({ ...found.session, agent_session_id, updated_at: tx.now });
}

/** Writes a changed run and what follows: its event, its session, its open steps and the line in its feed. */
export async function changeRun(work: Work, before: Run, after: Run): Promise<void> {
  await work.tx.runs.update(after);
  work.tx.emit(runEvent('updated', after, work.caller));
  // Not after its end: another run may have begun in the same session.
  if (before.ended_at === null && before.agent_session_id !== after.agent_session_id) await keepSession(work, after);
  if (before.ended_at === null && after.ended_at !== null) await endSteps(work, after);
  if (before.status === after.status) return;
  const { status, reason } = after;
  await addEntry(work, after, { kind: 'status', text: reason === null ? status : `${status}: ${reason}` });
}
