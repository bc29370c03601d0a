import type { Attempt } from '#domain/attempt';
import type { Execution } from '#domain/execution';
import { ErrandError } from '#errors';
import { changeRun } from '#services/executions/change-run';
import type { Ports } from '#services/ports';
import type { RunRow, Transaction } from '#store/store';
import { tellApproval, tellAttempt } from './attempt-events.ts';
import { moveToReview } from './derived-state.ts';
import { enqueueRun } from './enqueue.ts';

export interface RunEnding {
  readonly status: 'completed' | 'failed' | 'killed' | 'interrupted';
  readonly reason: string | null;
  readonly summary?: string | null;
}

/** The attempt of a run that workers deal with: they work for all projects. */
export async function attemptOfRun(tx: Transaction, { execution }: RunRow): Promise<Attempt> {
  const { workspace_id, project_id, attempt_id } = execution;
  const attempt =
    attempt_id === null || project_id === null
      ? null
      : await tx.attempts.find({ workspace_id, project_ids: [project_id] }, attempt_id);
  if (attempt !== null) return attempt;
  throw new ErrandError('not_found', 'The attempt of this run is gone.');
}

/** Nobody waits for the answer any more. */
async function expireApprovals(tx: Transaction, attempt: Attempt, { execution_id }: RunRow): Promise<void> {
  for (const approval of await tx.approvals.ofRun(execution_id)) {
    if (approval.status !== 'pending') continue;
    const expired = { ...approval, status: 'expired', answered_at: tx.now } as const;
    await tx.approvals.update(expired);
    await tellApproval(tx, 'updated', attempt, expired);
  }
}

/** Turns the follow-up that has waited longest into a run. Whoever cancels it is before or after this, never both. */
async function startNext(tx: Transaction, ids: Ports['ids'], attempt: Attempt): Promise<void> {
  const sessions = await tx.attempts.sessions(attempt);
  const waiting = await Promise.all(
    sessions.map(async (session) => (await tx.attempts.queued(session.id)).map((prompt) => ({ session, prompt }))),
  );
  const [next] = waiting.flat().toSorted((a, b) => (a.prompt.id < b.prompt.id ? -1 : 1));
  if (next === undefined) return;
  const { session, prompt } = next;
  const execution = await enqueueRun(tx, ids, {
    attempt,
    session,
    prompt: prompt.prompt,
    variant: prompt.variant ?? session.variant,
    name: 'Follow-up',
    user_id: prompt.user_id,
    agent_id: prompt.agent_id,
  });
  await tx.attempts.updatePrompt({ ...prompt, status: 'started', execution_id: execution.id });
}

/** Ends a run with all that follows: its token and questions end, its task goes on to review, the next follow-up begins. */
export async function finishRun(tx: Transaction, ids: Ports['ids'], run: RunRow, ending: RunEnding): Promise<void> {
  const { execution } = run;
  const ended: Execution = {
    ...execution,
    status: ending.status,
    reason: ending.reason,
    summary: execution.summary ?? ending.summary ?? null,
    liveness: 'live',
    seen_at: Math.max(tx.now, execution.seen_at),
    ended_at: tx.now,
  };
  await changeRun({ tx, caller: null }, execution, ended);
  await tx.runs.update({ ...run, worker_id: null, lease_until: null, epoch: run.epoch + 1 });
  if (run.token_id !== null) await tx.tokens.revoke(execution.workspace_id, run.token_id, tx.now);

  const attempt = await attemptOfRun(tx, run);
  await expireApprovals(tx, attempt, run);
  const rested: Attempt = { ...attempt, run_status: ending.status, updated_at: tx.now };
  await tx.attempts.update(rested);
  await tellAttempt(tx, 'updated', rested);
  await moveToReview(tx, attempt);
  await startNext(tx, ids, rested);
}
