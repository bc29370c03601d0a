import { type AgentMessage, fittingMessages } from '#domain/agent-message';
import type { AgentMessageId, AttemptId, WorkspaceId } from '#domain/ids';
import { visibleJson } from '#domain/visible-text';
import { isWaiting, sendersOf, settleCarried } from '#services/board/messages';
import type { Store } from '#store/store';
import { rfc3339 } from '#tools/time';
import type { Call } from './gateway.ts';

/** How long after an answer was handed to its transport its messages count as delivered, unless the client has hung up. */
const HANDED_OVER_MS = 50;
/** The most characters of messages in one answer; a longer message comes alone. */
const MAX_CARRIED_CHARACTERS = 4_000;

interface Needs extends Pick<Store, 'reads' | 'transaction'> {
  readonly clock: () => number;
  readonly report: (error: unknown) => void;
}

/** An answer with messages that is on its way. */
interface Carried {
  readonly attempt: { readonly id: AttemptId; readonly workspace_id: WorkspaceId };
  /** The messages of this answer. */
  readonly carried: readonly AgentMessageId[];
  /** The messages of earlier answers: this call shows that its agent went on with them. */
  readonly answered: readonly AgentMessageId[];
  readonly signal: AbortSignal | undefined;
}

/** The messages with the answer to a question that this call answers by itself: they are carried, and not shown twice. */
function ownAnswer(json: string, waiting: readonly AgentMessage[]): readonly AgentMessage[] {
  if (waiting.every(({ approval_id }) => approval_id === null)) return [];
  // An answer of a tool is an object.
  const { approval_id = null, status } = JSON.parse(json) as { approval_id?: string; status?: string };
  if (approval_id === null || status !== 'answered') return [];
  return waiting.filter((message) => message.approval_id === approval_id);
}

const shown = ({ id, text, created_at }: AgentMessage, senders: ReadonlyMap<AgentMessageId, string>) => ({
  message_id: id,
  from: senders.get(id),
  text,
  at: rfc3339(created_at),
});

/**
 * Puts what waits for the agent of an attempt into the answers to its calls. A message counts as delivered only after its
 * answer was handed over: if the process is killed before that, the next answer carries the message again.
 */
export function createCarry({ reads, transaction, clock, report }: Needs) {
  /** The messages of answers that are on their way; the time at which the answer was handed over, or null before that. */
  const underway = new Map<AgentMessageId, number | null>();
  /** The writes that wait, each with the function that does it at once. */
  const writing = new Map<Promise<void>, () => void>();

  /** A parallel call must not bring later messages before the answer with the earlier ones has left. */
  const isFree = (unread: readonly AgentMessage[], began_at: number): boolean =>
    unread.every(({ id }) => {
      const left_at = underway.get(id);
      return left_at === undefined || (left_at !== null && left_at <= began_at);
    });

  async function settle({ attempt, carried, answered, signal }: Carried): Promise<void> {
    const given = signal?.aborted === true ? [] : carried;
    if (given.length === 0 && answered.length === 0) return;
    await transaction((tx) => settleCarried(tx, attempt, { carried: new Set(given), answered: new Set(answered) }));
  }

  function settleLater(on_way: Carried): void {
    const { carried, signal } = on_way;
    const { promise, resolve } = Promise.withResolvers<void>();
    const due = setTimeout(resolve, HANDED_OVER_MS);
    signal?.addEventListener('abort', () => resolve(), { once: true });
    const written = promise
      .then(() => settle(on_way))
      .catch(report)
      .finally(() => {
        clearTimeout(due);
        for (const id of carried) underway.delete(id);
        writing.delete(written);
      });
    writing.set(written, resolve);
  }

  /** Notes when the answer has left: its transport takes it before the next turn of the loop. */
  function noteLeaving(carried: readonly AgentMessageId[]): void {
    for (const id of carried) underway.set(id, null);
    setImmediate(() => {
      for (const id of carried) if (underway.has(id)) underway.set(id, clock());
    });
  }

  async function take(attempt: Carried['attempt'], call: Call, json: string, began_at: number) {
    const unread = await reads.agentMessages.unread(attempt);
    if (unread.length === 0) return undefined;
    const senders = await sendersOf(reads, unread);
    // From here on without a pause: a parallel call must not take the same messages.
    const waiting = unread.filter((message) => isWaiting(message) && !underway.has(message.id));
    const own = ownAnswer(json, waiting);
    const others = waiting.filter((message) => !own.includes(message));
    const messages = isFree(unread, began_at) ? fittingMessages(others, MAX_CARRIED_CHARACTERS) : [];
    const answered = unread.filter(({ delivered_at }) => delivered_at !== null && delivered_at < began_at);
    const carried = [...own, ...messages].map(({ id }) => id);
    noteLeaving(carried);
    settleLater({ attempt, carried, answered: answered.map(({ id }) => id), signal: call.signal });
    return messages.length === 0
      ? undefined
      : visibleJson(JSON.stringify(messages.map((message) => shown(message, senders))));
  }

  return {
    /** The messages for the answer of a call that has succeeded; undefined for none. Most callers are in no attempt: they do not wait. */
    take: (call: Call, json: string, began_at: number): Promise<string | undefined> | undefined => {
      const { attempt_id, workspace_id } = call.caller;
      if (attempt_id === null || call.carries !== true || 'messages' in call.tool.output.shape) return undefined;
      // The call is done: its answer must not fail for a message that can come later.
      return take({ id: attempt_id, workspace_id }, call, json, began_at).catch((error: unknown) => {
        report(error);
        return undefined;
      });
    },
    /** Writes what waits. All answers have left. */
    close: async (): Promise<void> => {
      for (const writeNow of writing.values()) writeNow();
      await Promise.all(writing.keys());
    },
  };
}
