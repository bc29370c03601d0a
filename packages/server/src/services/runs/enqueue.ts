import type { Attempt, Session } from '#domain/attempt';
import { CHECKS_EXECUTOR } from '#domain/check';
import type { AgentId, UserId } from '#domain/ids';
import type { Run } from '#domain/run';
import { newRun } from '#domain/run';
import { emitAttempt } from '#services/attempts/attempt-events';
import { moveToProgress } from '#services/attempts/task-state';
import type { Ports } from '#services/ports';
import type { Transaction } from '#store/store';
import { joinMessages } from './given-messages.ts';
import { runEvent } from './run-events.ts';

interface NewRun {
  readonly attempt: Attempt;
  readonly session: Session;
  readonly prompt: string;
  readonly variant: string | null;
  readonly name: string;
  /** Runs only the checks; the task stays where it is. */
  readonly is_check?: boolean;
  /** Sent back by red checks, which counts as one of the retries. */
  readonly is_retry?: boolean;
  readonly user_id: UserId;
  readonly agent_id: AgentId | null;
}

/** A new run cancels a requested removal. One that has begun goes on, and the folders are made again. */
const removalAfter = ({ removal }: Attempt): Attempt['removal'] => (removal === 'removing' ? removal : null);

/** The follow-up of a person sets the count of retries to zero. */
const retriesAfter = ({ attempt, is_check, is_retry, agent_id }: NewRun): number =>
  is_check || is_retry || agent_id !== null ? attempt.red_retries : 0;

/** Writes a run and its entry at the end of the queue, from which a worker claims it. */
export async function enqueueRun(tx: Transaction, ids: Ports['ids'], fresh: NewRun): Promise<Run> {
  const { attempt, session, user_id, agent_id } = fresh;
  const run = newRun({
    kind: fresh.is_check ? 'script' : 'agent',
    id: ids(),
    workspace_id: attempt.workspace_id,
    project_id: attempt.project_id,
    work_item_id: attempt.work_item_id,
    attempt_id: attempt.id,
    session_id: session.id,
    name: fresh.name,
    status: 'queued',
    branch: attempt.branch,
    user_id,
    agent_id,
    started_at: tx.now,
  });
  await tx.runs.insert(run);
  // Nobody reads the prompt of a run that only runs checks.
  const prompt = fresh.is_check
    ? fresh.prompt
    : await joinMessages(tx, attempt, { id: run.id, session_id: session.id, prompt: fresh.prompt });
  await tx.queue.insert({
    execution_id: run.id,
    attempt_id: attempt.id,
    session_id: session.id,
    executor: fresh.is_check ? CHECKS_EXECUTOR : session.executor,
    variant: fresh.variant,
    prompt,
    epoch: 0,
    worker_id: null,
    lease_until: null,
    host_id: null,
    spawned_at: null,
    boot_id: null,
    pid: null,
    pid_started: null,
    stop_requested_at: null,
    stop_reason: null,
    token_id: null,
  });
  const queued: Attempt = {
    ...attempt,
    removal: removalAfter(attempt),
    run_status: 'queued',
    red_retries: retriesAfter(fresh),
    updated_at: tx.now,
  };
  await tx.attempts.update(queued);
  if (!fresh.is_check) await moveToProgress(tx, attempt);
  tx.emit(runEvent('created', run, { user_id, agent_id }));
  await emitAttempt(tx, 'updated', queued);
  return run;
}
