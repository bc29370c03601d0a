import type { AgentMessage } from '#domain/agent-message';
import { shortText } from '#domain/answer-size';
import type { Attempt } from '#domain/attempt';
import type { AgentId, AgentMessageId, ApprovalId, RunId, UserId } from '#domain/ids';
import { emitMessage } from '#services/attempts/attempt-events';
import type { Ports } from '#services/ports';
import { addEntry } from '#services/runs/feed';
import type { Reads, Transaction } from '#store/store';

export interface NewMessage {
  readonly source: AgentMessage['source'];
  readonly text: string;
  /** The question that it answers. */
  readonly approval_id?: ApprovalId | null;
  readonly interrupt?: boolean;
  /** Whether its sender may start a run with it. */
  readonly may_run: boolean;
  readonly user_id: UserId;
  readonly agent_id: AgentId | null;
}

type OfAttempt = Pick<Attempt, 'id' | 'workspace_id'>;

/** The names of those who sent the messages, by message; Errand for its own. Each name is read once. */
export async function sendersOf(
  { users, agents }: Pick<Reads, 'users' | 'agents'>,
  messages: readonly AgentMessage[],
): Promise<ReadonlyMap<AgentMessageId, string>> {
  const names = new Map<string, string>();
  for (const { workspace_id, user_id, agent_id } of messages) {
    const id = agent_id ?? user_id;
    if (names.has(id)) continue;
    const sender = await (agent_id === null ? users.find(workspace_id, user_id) : agents.find(workspace_id, agent_id));
    names.set(id, sender?.name ?? 'someone who has left');
  }
  const nameOf = ({ source, user_id, agent_id }: AgentMessage): string =>
    source === 'system' ? 'Errand' : (names.get(agent_id ?? user_id) ?? '');
  return new Map(messages.map((message) => [message.id, nameOf(message)]));
}

const MAX_FEED_CHARACTERS = 4_000;

/** A message as the feed shows it. Its sender is named by `feedPages`, which knows present names. */
export function feedText({ source, text, agent_id }: Pick<AgentMessage, 'source' | 'text' | 'agent_id'>): string {
  const sender = source === 'system' ? 'Errand' : agent_id === null ? 'A person' : 'An agent';
  return shortText(source === 'answer' ? text : `${sender} to the agent: ${text}`, MAX_FEED_CHARACTERS);
}

/** Queues a message for the agent of an attempt. The feed of the attempt's latest run shows them, once. */
export async function queueMessage(
  tx: Transaction,
  ids: Ports['ids'],
  attempt: Attempt,
  message: NewMessage,
): Promise<AgentMessage> {
  const made = await tx.agentMessages.insert({
    id: ids(),
    workspace_id: attempt.workspace_id,
    project_id: attempt.project_id,
    attempt_id: attempt.id,
    source: message.source,
    text: message.text,
    approval_id: message.approval_id ?? null,
    interrupt: message.interrupt ?? false,
    may_run: message.may_run,
    status: 'queued',
    execution_id: null,
    user_id: message.user_id,
    agent_id: message.agent_id,
    created_at: tx.now,
    delivered_at: null,
    read_at: null,
  });
  await emitMessage(tx, 'created', made);
  const [run] = await tx.attempts.runs(attempt, 1);
  if (run !== undefined) await addEntry({ tx, caller: message }, run, { kind: 'status', text: feedText(message) });
  return made;
}

/** A message that was given to nobody yet. One that is part of a queued prompt is still queued, and names its run. */
export const isWaiting = ({ status, execution_id }: AgentMessage): boolean =>
  status === 'queued' && execution_id === null;

/** What waits for the agent of an attempt, in order. */
export const waitingMessages = async (
  tx: Pick<Reads, 'agentMessages'>,
  attempt: OfAttempt,
): Promise<readonly AgentMessage[]> => (await tx.agentMessages.unread(attempt)).filter(isWaiting);

type Change = Partial<Pick<AgentMessage, 'status' | 'execution_id' | 'delivered_at' | 'read_at'>>;

async function change(tx: Transaction, message: AgentMessage, fields: Change): Promise<void> {
  const after: AgentMessage = { ...message, ...fields };
  await tx.agentMessages.update(after);
  await emitMessage(tx, 'updated', after);
}

/** Writes that a run was given these messages. */
export async function markDelivered(
  tx: Transaction,
  messages: readonly AgentMessage[],
  execution_id: RunId | null,
): Promise<void> {
  for (const message of messages) {
    await change(tx, message, { status: 'delivered', execution_id, delivered_at: tx.now });
  }
}

export const markRead = (tx: Transaction, message: AgentMessage): Promise<void> =>
  change(tx, message, { status: 'read', read_at: tx.now });

/** Lets messages wait again, for the next run. */
export const takeBack = (tx: Transaction, message: AgentMessage): Promise<void> =>
  change(tx, message, { status: 'queued', execution_id: null, delivered_at: null });

/** Makes messages a part of the prompt of a run that waits for a worker. */
export async function bind(tx: Transaction, messages: readonly AgentMessage[], execution_id: RunId): Promise<void> {
  for (const message of messages) await tx.agentMessages.update({ ...message, execution_id });
}

/** Cancels what waits for the agent of an attempt, and what it was given and has not read: none of it comes again. */
export async function cancelUnread(tx: Transaction, attempt: OfAttempt): Promise<void> {
  for (const message of await tx.agentMessages.unread(attempt)) await change(tx, message, { status: 'cancelled' });
}

interface CarriedIds {
  /** In an answer that has left. */
  readonly carried: ReadonlySet<AgentMessageId>;
  /** In an earlier answer, after which the agent went on. */
  readonly answered: ReadonlySet<AgentMessageId>;
}

/** Writes what the answers to calls of an attempt's agent have carried. */
export async function settleCarried(tx: Transaction, attempt: OfAttempt, ids: CarriedIds): Promise<void> {
  const unread = await tx.agentMessages.unread(attempt);
  const [run] = await tx.attempts.runs(attempt, 1);
  const given = unread.filter((message) => ids.carried.has(message.id) && isWaiting(message));
  await markDelivered(tx, given, run?.id ?? null);
  for (const message of unread) {
    if (ids.answered.has(message.id) && message.status === 'delivered') await markRead(tx, message);
  }
}
