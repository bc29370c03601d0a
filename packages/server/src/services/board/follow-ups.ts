import { type Hint, say } from '#advice';
import { type Attempt, FOLLOW_UP_NAME, isActive, type QueuedPrompt, type Session } from '#domain/attempt';
import type { AttemptId, QueuedPromptId, RunId, SessionId } from '#domain/ids';
import { type KeyedItem, shownName } from '#domain/key';
import { plainText } from '#domain/plain-text';
import { refusal } from '#domain/refusal';
import { ErrandError } from '#errors';
import { emitAttempt } from '#services/attempts/attempt-events';
import type { Ports } from '#services/ports';
import { enqueueRun } from '#services/runs/enqueue';
import type { WriteWork } from '#services/work';
import type { Transaction } from '#store/store';
import { attemptOf, sessionOf } from './lookup.ts';
import { mayHaveVariant, mustBeReady } from './offered-executors.ts';
import { mustGoOn, newestSession, placeFollowUp, roomInQueue } from './place-follow-up.ts';

interface Target {
  readonly attempt_id?: AttemptId | undefined;
  readonly session_id?: SessionId | undefined;
}

interface Message {
  readonly prompt?: string | undefined;
  readonly variant?: string | undefined;
}

interface FollowedUp {
  readonly attempt_id: AttemptId;
  readonly session_id: SessionId;
  /** The run that the message started. */
  readonly execution_id?: RunId;
  readonly queued_id?: QueuedPromptId;
  readonly cancelled?: number;
  /** The messages that are queued now. */
  readonly queue: readonly QueuedPrompt[];
}

interface FoundSession {
  readonly attempt: Attempt;
  readonly session: Session;
}

const noMessage = (id: QueuedPromptId): ErrandError =>
  new ErrandError('not_found', `No follow-up ${id} in this session.`, {
    hint: say`${{ call: 'get_attempt' }} for those that wait.`,
  });

export const runInProgress = (attempt: Attempt & Partial<KeyedItem>, hint: Hint): ErrandError =>
  new ErrandError('run_in_progress', `A run of attempt ${shownName(attempt)} is ${attempt.run_status}.`, { hint });

async function targetOf(work: WriteWork, { attempt_id, session_id }: Target): Promise<FoundSession> {
  if ((attempt_id === undefined) === (session_id === undefined)) {
    throw refusal('attempt_id', say`give either ${{ field: 'attempt_id' }} or ${{ field: 'session_id' }}`);
  }
  if (session_id !== undefined) return sessionOf(work, session_id);
  // Safe: exactly one of the two is given.
  const attempt = await attemptOf(work, attempt_id as AttemptId);
  return { attempt, session: await newestSession(work.tx, attempt) };
}

const promptOf = ({ prompt }: Message, action: 'send' | 'queue'): string => {
  if (prompt === undefined) throw refusal('prompt', `is required to ${action}`, 'Say what the agent should do next.');
  return plainText('prompt', prompt);
};

async function cancel(tx: Transaction, prompts: readonly QueuedPrompt[]): Promise<void> {
  for (const prompt of prompts) await tx.attempts.updatePrompt({ ...prompt, status: 'cancelled' });
}

/** Empties the queues of all sessions of the attempt. Returns how many messages were cancelled. */
export async function cancelAll(tx: Transaction, attempt: Attempt): Promise<number> {
  let cancelled = 0;
  for (const { id } of await tx.attempts.sessions(attempt)) {
    const waiting = await tx.attempts.queued(attempt, id);
    await cancel(tx, waiting);
    cancelled += waiting.length;
  }
  return cancelled;
}

/** Messages to an agent that has run before: each starts a run, or is queued until the current run has ended. */
export function createFollowUps({ ids }: Ports) {
  async function begin(
    work: WriteWork,
    { attempt, session }: FoundSession,
    { prompt, variant }: { readonly prompt: string; readonly variant: string | null },
  ): Promise<FollowedUp> {
    const { tx, caller } = work;
    const run = await enqueueRun(tx, ids, {
      attempt,
      session,
      prompt,
      variant,
      name: FOLLOW_UP_NAME,
      user_id: caller.user_id,
      agent_id: caller.agent_id,
    });
    const answer = { attempt_id: attempt.id, session_id: session.id, execution_id: run.id, queue: [] };
    work.changed(null, { ...answer, prompt });
    return answer;
  }

  return {
    send: async (work: WriteWork, target: Target, message: Message): Promise<FollowedUp> => {
      const prompt = promptOf(message, 'send');
      const place = await targetOf(work, target);
      const { attempt, session } = place;
      mustGoOn(attempt);
      if (isActive(attempt.run_status)) {
        throw runInProgress(attempt, [
          say`Use ${{ field: 'action', value: 'queue' }} to have this follow it.`,
          say`${{ call: 'stop_attempt' }} to end it first.`,
        ]);
      }
      const variant = message.variant ?? session.variant;
      await mustBeReady(work.tx, session.executor, variant);
      return begin(work, place, { prompt, variant });
    },

    queue: async (work: WriteWork, target: Target, message: Message): Promise<FollowedUp> => {
      const { tx, caller } = work;
      const prompt = promptOf(message, 'queue');
      const place = await targetOf(work, target);
      const { attempt, session } = place;
      mustGoOn(attempt);
      if (message.variant !== undefined) await mayHaveVariant(tx, session.executor, message.variant);
      const variant = message.variant ?? session.variant;
      if (!isActive(attempt.run_status)) return begin(work, place, { prompt, variant });

      const before = await roomInQueue(tx, attempt, session);
      const queued: QueuedPrompt = {
        id: ids(),
        session_id: session.id,
        prompt,
        variant,
        status: 'queued',
        execution_id: null,
        user_id: caller.user_id,
        agent_id: caller.agent_id,
        may_run: true,
        created_at: tx.now,
      };
      await tx.attempts.insertPrompt(queued);
      await emitAttempt(tx, 'updated', attempt);
      work.changed(null, queued);
      return { attempt_id: attempt.id, session_id: session.id, queued_id: queued.id, queue: [...before, queued] };
    },

    /**
     * Words that follow from another call, such as a review. They start a run only if the caller may run agents in the project, else
     * they join the next run that another one starts. What they change is for the calling service to record.
     */
    queueOrStart: async (
      { tx, caller, rightsIn }: WriteWork,
      attempt: Attempt,
      { prompt, name }: { readonly prompt: string; readonly name: string },
    ) => {
      const may_run = rightsIn(attempt.project_id).scopes.has('board:run');
      return { may_run, ...(await placeFollowUp(tx, ids, { attempt, prompt, name, asker: caller, may_run })) };
    },

    /** Cancels one message, or all of the session. A message that has become a run is not undone. */
    cancel: async (work: WriteWork, target: Target, queued_id: QueuedPromptId | undefined): Promise<FollowedUp> => {
      const { attempt, session } = await targetOf(work, target);
      const isKnown =
        queued_id === undefined || (await work.tx.attempts.prompt(attempt, session.id, queued_id)) !== null;
      if (!isKnown) throw noMessage(queued_id);
      const before = await work.tx.attempts.queued(attempt, session.id);
      const taken = before.filter(({ id }) => queued_id === undefined || id === queued_id);
      await cancel(work.tx, taken);
      if (taken.length > 0) await emitAttempt(work.tx, 'updated', attempt);
      work.changed(taken, null);
      return {
        attempt_id: attempt.id,
        session_id: session.id,
        cancelled: taken.length,
        queue: before.filter((prompt) => !taken.includes(prompt)),
      };
    },
  };
}
