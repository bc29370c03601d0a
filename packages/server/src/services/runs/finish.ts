import { type Attempt, FOLLOW_UP_NAME, type QueuedPrompt, type Session } from '#domain/attempt';
import type { CheckedRun } from '#domain/check';
import type { QueuedRun } from '#domain/queued-run';
import { ErrandError } from '#errors';
import { emitApproval, emitAttempt } from '#services/attempts/attempt-events';
import { moveBack, moveToReview } from '#services/attempts/task-state';
import type { Ports } from '#services/ports';
import type { Transaction } from '#store/store';
import { enqueueRun } from './enqueue.ts';
import { closeMessages } from './given-messages.ts';
import { mayRun } from './may-run.ts';
import { retryRed } from './retry-red.ts';
import { startWithMessages } from './start-with-messages.ts';

/** The attempt of a run, in any project: a worker works for all of them. */
export async function attemptOfRun(tx: Transaction, { run }: QueuedRun): Promise<Attempt> {
  const { workspace_id, project_id, attempt_id } = run;
  const attempt =
    attempt_id === null || project_id === null
      ? null
      : await tx.attempts.find({ workspace_id, project_ids: [project_id] }, attempt_id);
  if (attempt !== null) return attempt;
  throw new ErrandError('not_found', 'The attempt of this run is gone.');
}

/** Expires the open questions of a run: its agent no longer waits for an answer. */
async function expireApprovals(tx: Transaction, attempt: Attempt, { run }: QueuedRun): Promise<void> {
  for (const approval of await tx.approvals.ofRun(run)) {
    // A question of the tool survives its run: the answer comes with the next.
    if (approval.status !== 'pending' || approval.origin === 'tool') continue;
    const expired = { ...approval, status: 'expired', answered_at: tx.now } as const;
    await tx.approvals.update(expired);
    await emitApproval(tx, 'updated', attempt, expired);
  }
}

/** Oldest first, by the store's time. Ids do not serve: clocks of several machines make them. */
const byAge = (a: QueuedPrompt, b: QueuedPrompt): number => a.created_at - b.created_at || (a.id < b.id ? -1 : 1);

/** Turns the oldest follow-up that may still run into a run; false when there is none. A cancel comes before or after this transaction. */
async function startNext(tx: Transaction, ids: Ports['ids'], attempt: Attempt): Promise<boolean> {
  const sessions = await tx.attempts.sessions(attempt);
  const waiting = await Promise.all(
    sessions.map(async (session) =>
      (await tx.attempts.queued(attempt, session.id)).map((prompt) => ({ session, prompt })),
    ),
  );
  for (const { session, prompt } of waiting.flat().toSorted((a, b) => byAge(a.prompt, b.prompt))) {
    // It joins the next run that another one starts: `joinMessages`.
    if (!prompt.may_run) continue;
    if (await mayRun(tx, attempt, prompt)) {
      await startPrompt(tx, ids, { attempt, session, prompt });
      return true;
    }
    await tx.attempts.updatePrompt({ ...prompt, status: 'cancelled' });
  }
  return false;
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

/** Whether an agent may have left something to review: not when the attempt's only run ended before a process began. */
async function hasBegun(tx: Transaction, entry: QueuedRun, attempt: Attempt): Promise<boolean> {
  return entry.spawned_at !== null || (await tx.attempts.runs(attempt, 2)).length > 1;
}

interface EndedRun {
  readonly entry: QueuedRun;
  readonly attempt: Attempt;
  /** What its checks said; not given when none ran. */
  readonly checked?: CheckedRun | undefined;
}

const isCheck = ({ run }: QueuedRun): boolean => run.kind === 'script';

/** How many runs of an attempt are searched for the latest one of its agent. */
const MAX_LOOKED_AT = 100;

/** A run that only ran checks says nothing about how its agent ended. */
async function agentStatus(tx: Transaction, { entry, attempt }: EndedRun): Promise<Attempt['run_status']> {
  if (!isCheck(entry)) return attempt.run_status;
  const runs = await tx.attempts.runs(attempt, MAX_LOOKED_AT);
  return runs.find(({ kind }) => kind === 'agent')?.status ?? attempt.run_status;
}

/** Writes the checks of the run, and the attempt as it rests now. */
async function rest(tx: Transaction, ended: EndedRun): Promise<Attempt> {
  const { entry, attempt, checked } = ended;
  for (const check of checked?.checks ?? []) await tx.checks.insert(check);
  const verdict = entry.run.status === 'completed' ? (checked?.verdict ?? null) : null;
  const rested: Attempt = {
    ...attempt,
    run_status: await agentStatus(tx, ended),
    verdict,
    verdict_at: verdict === null ? null : tx.now,
    updated_at: tx.now,
  };
  await tx.attempts.update(rested);
  await emitAttempt(tx, 'updated', rested);
  return rested;
}

/** Moves the task as the end of the run demands. Checks alone move nothing. */
async function moveTask(tx: Transaction, entry: QueuedRun, attempt: Attempt): Promise<void> {
  if (isCheck(entry)) return;
  if (entry.run.status === 'killed' && !(await hasBegun(tx, entry, attempt))) return moveBack(tx, attempt);
  await moveToReview(tx, attempt);
}

/** What follows from the end of a run: its questions expire, its task moves on, and the next follow-up begins. */
export async function finishAttemptRun(tx: Transaction, ids: Ports['ids'], ended: EndedRun): Promise<void> {
  const { entry, attempt, checked } = ended;
  await expireApprovals(tx, attempt, entry);
  const waiting = await closeMessages(tx, entry);
  const rested = await rest(tx, ended);
  await moveTask(tx, entry, rested);
  const started = (await startNext(tx, ids, rested)) || (await startWithMessages(tx, ids, rested, waiting));
  if (!started && checked !== undefined) await retryRed(tx, ids, { entry, attempt: rested, checks: checked.checks });
}
