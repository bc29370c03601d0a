import { type AgentMessage, asPrompt, firstFitting, fittingMessages } from '#domain/agent-message';
import type { Attempt } from '#domain/attempt';
import type { RunId, SessionId } from '#domain/ids';
import type { QueuedRun } from '#domain/queued-run';
import { bind, isWaiting, markDelivered, markRead, takeBack, waitingMessages } from '#services/board/messages';
import type { Transaction } from '#store/store';

/** More than an agent should read at once; what is left over waits for the run after. */
const MAX_CHARACTERS = 100_000;

interface JoinedRun {
  readonly id: RunId;
  readonly session_id: SessionId;
  readonly prompt: string;
}

/** Takes the follow-ups that may start no run of their own, as far as they fit. */
async function joinFollowUps(tx: Transaction, attempt: Attempt, { id, session_id }: JoinedRun): Promise<string[]> {
  const joining = (await tx.attempts.queued(attempt, session_id)).filter(({ may_run }) => !may_run);
  const fitting = firstFitting(joining, ({ prompt }) => prompt.length, MAX_CHARACTERS);
  for (const prompt of fitting) await tx.attempts.updatePrompt({ ...prompt, status: 'started', execution_id: id });
  return fitting.map(({ prompt }) => prompt);
}

/** Puts the messages that wait for the agent before the prompt of its next run. */
export async function joinMessages(tx: Transaction, attempt: Attempt, run: JoinedRun): Promise<string> {
  const messages = fittingMessages(await waitingMessages(tx, attempt), MAX_CHARACTERS);
  await bind(tx, messages, run.id);
  const parts = [asPrompt(messages), ...(await joinFollowUps(tx, attempt, run)), run.prompt];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** What the run was given, in its prompt or later, and has not read. */
export const givenTo = async (tx: Transaction, { attempt_id, run }: QueuedRun): Promise<readonly AgentMessage[]> =>
  (await tx.agentMessages.unread({ id: attempt_id, workspace_id: run.workspace_id })).filter(
    ({ execution_id }) => execution_id === run.id,
  );

/** The process of the run begins: its prompt is on its way. */
export async function deliverPrompt(tx: Transaction, entry: QueuedRun): Promise<void> {
  const bound = (await givenTo(tx, entry)).filter(({ status }) => status === 'queued');
  await markDelivered(tx, bound, entry.execution_id);
}

/**
 * The run has ended. What it was given counts as read when it has completed; otherwise it waits for the next follow-up, and starts
 * none: a run that fails at once would be started for ever. Returns what no run was given yet.
 */
export async function closeMessages(tx: Transaction, entry: QueuedRun): Promise<readonly AgentMessage[]> {
  const attempt = { id: entry.attempt_id, workspace_id: entry.run.workspace_id };
  const waiting = (await tx.agentMessages.unread(attempt)).filter(isWaiting);
  for (const message of await givenTo(tx, entry)) {
    const isRead = message.status === 'delivered' && entry.run.status === 'completed';
    await (isRead ? markRead(tx, message) : takeBack(tx, message));
  }
  return waiting;
}
