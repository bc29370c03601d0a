import { say } from '#advice';
import { type Attempt, FOLLOW_UP_NAME, isActive, type QueuedPrompt, type Session } from '#domain/attempt';
import type { QueuedPromptId, RunId } from '#domain/ids';
import { type KeyedItem, shownName } from '#domain/key';
import { ErrandError } from '#errors';
import { emitAttempt } from '#services/attempts/attempt-events';
import type { Ports } from '#services/ports';
import { enqueueRun } from '#services/runs/enqueue';
import type { Actor } from '#services/runs/run-events';
import type { Reads, Transaction } from '#store/store';

/** More follow-ups than a person plans ahead; the caller has to keep the rest. */
const MAX_QUEUED = 20;

type NamedAttempt = Attempt & Partial<KeyedItem>;

const noSession = (attempt: NamedAttempt): ErrandError =>
  new ErrandError(
    'no_session',
    `Attempt ${shownName(attempt)} has no session yet, so there is nobody to follow up with.`,
    {
      hint: say`${{ call: 'start_task_attempt' }} to have an agent begin.`,
    },
  );

/** The newest session of an attempt. */
export async function newestSession(tx: Reads, attempt: NamedAttempt): Promise<Session> {
  const [session] = await tx.attempts.sessions(attempt);
  if (session === undefined) throw noSession(attempt);
  return session;
}

/** Refuses words to an attempt that is merged or archived: its work is over. */
export function mustGoOn(attempt: NamedAttempt): void {
  const { merged_at, archived_at } = attempt;
  if (merged_at === null && archived_at === null) return;
  throw new ErrandError('conflict', `Attempt ${shownName(attempt)} is ${merged_at === null ? 'archived' : 'merged'}.`, {
    hint: say`${{ call: 'start_task_attempt' }} to have an agent go on with the task.`,
  });
}

/** Returns the follow-ups that wait in a session. Refuses one more than a session keeps. */
export async function roomInQueue(tx: Reads, attempt: Attempt, session: Session): Promise<readonly QueuedPrompt[]> {
  const before = await tx.attempts.queued(attempt, session.id);
  if (before.length < MAX_QUEUED) return before;
  throw new ErrandError('conflict', `${before.length} follow-ups wait in this session already.`, {
    hint: say`Wait for the agent to get to them, or take some back with ${{ field: 'action', value: 'cancel' }}.`,
  });
}

interface FollowUp {
  readonly attempt: Attempt;
  readonly prompt: string;
  readonly name?: string | undefined;
  readonly asker: Actor;
  /** Whether the one who asks may start an agent. If not, the follow-up joins the next run that another one starts. */
  readonly may_run: boolean;
}

/** Writes a follow-up for the newest session: it starts a run at once, waits while a run of the attempt goes on, or waits to join one. */
export async function placeFollowUp(
  tx: Transaction,
  ids: Ports['ids'],
  follow_up: FollowUp,
): Promise<{ readonly queued_id: QueuedPromptId; readonly execution_id: RunId | null }> {
  const { attempt, prompt, may_run, asker } = follow_up;
  mustGoOn(attempt);
  const session = await newestSession(tx, attempt);
  await roomInQueue(tx, attempt, session);
  const { user_id, agent_id } = asker;
  const queued: QueuedPrompt = {
    id: ids(),
    session_id: session.id,
    prompt,
    variant: session.variant,
    status: 'queued',
    execution_id: null,
    user_id,
    agent_id,
    may_run,
    created_at: tx.now,
  };
  await tx.attempts.insertPrompt(queued);
  if (isActive(attempt.run_status) || !may_run) {
    await emitAttempt(tx, 'updated', attempt);
    return { queued_id: queued.id, execution_id: null };
  }
  const { variant } = session;
  const name = follow_up.name ?? FOLLOW_UP_NAME;
  const run = await enqueueRun(tx, ids, { attempt, session, prompt, variant, name, user_id, agent_id });
  await tx.attempts.updatePrompt({ ...queued, status: 'started', execution_id: run.id });
  return { queued_id: queued.id, execution_id: run.id };
}
