import type { AgentMessage } from '#domain/agent-message';
import { shortText } from '#domain/answer-size';
import type { Attempt } from '#domain/attempt';
import type { AgentId, ApprovalId, RunId, UserId } from '#domain/ids';
import { emitMessage } from '#services/attempts/attempt-events';
import type { Ports } from '#services/ports';
import { addEntry } from '#services/runs/feed';
import type { Transaction } from '#store/store';

export interface NewMessage {
  readonly source: AgentMessage['source'];
  readonly text: string;
  /** The question that it answers. */
  readonly approval_id?: ApprovalId | null;
  readonly interrupt?: boolean;
  readonly user_id: UserId;
  readonly agent_id: AgentId | null;
}

const MAX_FEED_CHARACTERS = 4_000;

function feedText({ source, text, agent_id }: NewMessage): string {
  if (source === 'answer') return text;
  if (source === 'system') return `Errand to the agent: ${text}`;
  return `${agent_id === null ? 'A person' : 'An agent'} to the agent: ${text}`;
}

/** Queues words for the agent of an attempt. The feed of the attempt's latest run shows them, once. */
export async function tell(
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
    status: 'queued',
    execution_id: null,
    user_id: message.user_id,
    agent_id: message.agent_id,
    created_at: tx.now,
    delivered_at: null,
    read_at: null,
  });
  await emitMessage(tx, 'created', attempt, made);
  const [run] = await tx.attempts.runs(attempt, 1);
  const text = shortText(feedText(message), MAX_FEED_CHARACTERS);
  if (run !== undefined) await addEntry({ tx, caller: message }, run, { kind: 'status', text });
  return made;
}

/** A message that was given to nobody yet. One that is part of a queued prompt is still queued, and names its run. */
export const isWaiting = ({ status, execution_id }: AgentMessage): boolean =>
  status === 'queued' && execution_id === null;

/** What waits for the agent of an attempt, in order. */
export const waitingWords = async (
  tx: Pick<Transaction, 'agentMessages'>,
  attempt: Attempt,
): Promise<readonly AgentMessage[]> => (await tx.agentMessages.unread(attempt)).filter(isWaiting);

/** Writes that a run was given these messages. */
export async function markDelivered(
  tx: Transaction,
  attempt: Attempt,
  { messages, execution_id }: { readonly messages: readonly AgentMessage[]; readonly execution_id: RunId | null },
): Promise<void> {
  for (const message of messages) {
    const given: AgentMessage = { ...message, status: 'delivered', execution_id, delivered_at: tx.now };
    await tx.agentMessages.update(given);
    await emitMessage(tx, 'updated', attempt, given);
  }
}
