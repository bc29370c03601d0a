import { type Attempt, FOLLOW_UP_NAME, type QueuedPrompt, type Session } from '#domain/attempt';
import type { QueuedRun } from '#domain/queued-run';
import type { Run } from '#domain/run';
import { ErrandError } from '#errors';
import { tellApproval, tellAttempt } from '#services/attempts/attempt-events';
import { moveBack, moveToReview } from '#services/attempts/task-state';
import type { Ports } from '#services/ports';
import type { Transaction } from '#store/store';
import { changeRun } from './change-run.ts';
import { enqueueRun } from './enqueue.ts';
import { mayRun } from './may-run.ts';

export interface RunEnding {
  readonly status: 'completed' | 'failed' | 'killed' | 'interrupted';
  readonly reason: string | null;
  readonly summary?: string | null;
  /** JSON of `OutsideFiles`; null for none. As it was unless given. */
  readonly outside?: string | null;
}

/** The attempt of a run that workers deal with: they work for all projects. */
export async function attemptOfRun(tx: Transaction, { run }: QueuedRun): Promise<Attempt> {
  const { workspace_id, project_id, attempt_id } = run;
  const attempt =
    attempt_id === null || project_id === null
      ? null
      : await tx.attempts.find({ workspace_id, project_ids: [project_id] }, attempt_id);
  if (attempt !== null) return attempt;
  throw new ErrandError('not_found', 'The attempt of this run is gone.');
}

/** Nobody waits for the answer any more. */
async function expireApprovals(tx: Transaction, attempt: Attempt, { execution_id }: QueuedRun): Promise<void> {
  for (const approval of await tx.approvals.ofRun(execution_id)) {
    if (approval.status !== 'pending') continue;
    const expired = { ...approval, status: 'expired', answered_at: tx.now } as const;
    await tx.approvals.update(expired);
    await tellApproval(tx, 'updated', attempt, expired);
  }
}

/** By the store's clock; ids are made by the clocks of several machines. */
const byAge = (a: QueuedPrompt, b: QueuedPrompt): number => a.created_at - b.created_at || (a.id < b.id ? -1 : 1);

/** Turns the follow-up that has waited longest into a run. Whoever cancels it is before or after this, never both. */
async function startNext(tx: Transaction, ids: Ports['ids'], attempt: Attempt): Promise<void> {
  const sessions = await tx.attempts.sessions(attempt);
  const waiting = await Promise.all(
    sessions.map(async (session) => (await tx.attempts.queued(session.id)).map((prompt) => ({ session, prompt }))),
  );
  for (const { session, prompt } of waiting.flat().toSorted((a, b) => byAge(a.prompt, b.prompt))) {
    if (await mayRun(tx, attempt, prompt)) return await startPrompt(tx, ids, { attempt, session, prompt });
    await tx.attempts.updatePrompt({ ...prompt, status: 'cancelled' });
  }
}

interface NextRun {
  readonly attempt: Attempt;
  readonly session: Session;
  readonly prompt: QueuedPrompt;
}

async function startPrompt(tx: Transaction, ids: Ports['ids'], { attempt, session, prompt }: NextRun): Promise<void> {
  const run = await enqueueRun(tx, ids, {
    attempt,
    session,
    prompt: prompt.prompt,
    variant: prompt.variant ?? session.variant,
    name: FOLLOW_UP_NAME,
    user_id: prompt.user_id,
    agent_id: prompt.agent_id,
  });
  await tx.attempts.updatePrompt({ ...prompt, status: 'started', execution_id: run.id });
}

/** Whether there can be anything to look at: not when the only run was stopped before its agent was started. */
async function hasBegun(tx: Transaction, entry: QueuedRun, attempt: Attempt): Promise<boolean> {
  return entry.spawned_at !== null || (await tx.attempts.runs(attempt, 2)).length > 1;
}

/** Ends a run with all that follows: its token and questions end, its task goes on to review, the next follow-up begins. */
export async function finishRun(
  tx: Transaction,
  ids: Ports['ids'],
  entry: QueuedRun,
  ending: RunEnding,
): Promise<void> {
  const { run } = entry;
  const ended: Run = {
    ...run,
    status: ending.status,
    reason: ending.reason,
    summary: run.summary ?? ending.summary ?? null,
    liveness: 'live',
    seen_at: Math.max(tx.now, run.seen_at),
    ended_at: tx.now,
  };
  await changeRun({ tx, caller: null }, run, ended);
  await tx.queue.update({ ...entry, worker_id: null, lease_until: null, epoch: entry.epoch + 1 });
  if (entry.token_id !== null) await tx.tokens.revoke(run.workspace_id, entry.token_id, tx.now);

  const attempt = await attemptOfRun(tx, entry);
  await expireApprovals(tx, attempt, entry);
  const { status: run_status, outside = attempt.outside } = ending;
  const rested: Attempt = { ...attempt, run_status, outside, updated_at: tx.now };
  await tx.attempts.update(rested);
  await tellAttempt(tx, 'updated', rested);
  if (ending.status === 'killed' && !(await hasBegun(tx, entry, attempt))) await moveBack(tx, attempt);
  else await moveToReview(tx, attempt);
  await startNext(tx, ids, rested);
}
