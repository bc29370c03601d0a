import { type AgentMessage, asPrompt } from '#domain/agent-message';
import type { Attempt } from '#domain/attempt';
import type { AgentMessageId } from '#domain/ids';
import { markDelivered, markRead, takeBack, waitingMessages } from '#services/board/messages';
import type { Ports } from '#services/ports';
import type { Store, Transaction } from '#store/store';
import { applyRunEvent } from './apply-event.ts';
import { attemptOfRun } from './finish.ts';
import { givenTo } from './given-messages.ts';
import { type Hold, heldRun } from './held-run.ts';

/** Messages that a worker has taken for the agent of a run. */
export interface TakenMessages {
  readonly text: string;
  readonly message_ids: readonly AgentMessageId[];
}

/** Writes that the run was given what waits. Should the worker end before the agent has it, the end of the run queues it again. */
async function take(tx: Transaction, hold: Hold): Promise<readonly AgentMessage[]> {
  const entry = await heldRun(tx, hold);
  const messages = await waitingMessages(tx, await attemptOfRun(tx, entry));
  await markDelivered(tx, messages, entry.execution_id);
  return messages;
}

/** Messages to the agents of runs, for the workers that hold them. */
export function createRunMessages(store: Pick<Store, 'reads' | 'transaction'>, ids: Ports['ids']) {
  return {
    /** Whether a message waits for which the agent's turn is to be cut. */
    cannotWait: async (attempt: Pick<Attempt, 'id' | 'workspace_id'>): Promise<boolean> =>
      (await waitingMessages(store.reads, attempt)).some(({ interrupt }) => interrupt),

    /** Stops the run: its end starts the next one with the messages. */
    stopForMessages: (hold: Hold): Promise<void> =>
      store.transaction(async (tx) => {
        await applyRunEvent({ tx, ids }, await heldRun(tx, hold), { type: 'stop', why: 'steered' });
      }),

    /** Takes what waits for the agent of the run, to cut its turn with; null for nothing. */
    cut: (hold: Hold): Promise<TakenMessages | null> =>
      store.transaction(async (tx) => {
        const messages = await take(tx, hold);
        return messages.length === 0 ? null : { text: asPrompt(messages), message_ids: messages.map(({ id }) => id) };
      }),

    /** Lets messages wait again that came too late for the turn that they were to cut. */
    giveBack: (hold: Hold, message_ids: readonly AgentMessageId[]): Promise<void> =>
      store.transaction(async (tx) => {
        for (const message of await givenTo(tx, await heldRun(tx, hold))) {
          if (message_ids.includes(message.id)) await takeBack(tx, message);
        }
      }),

    /** The agent has ended its turn as it should: it has read what it was given. Takes what waits, as one text; null for nothing. */
    afterTurn: (hold: Hold): Promise<string | null> =>
      store.transaction(async (tx) => {
        for (const message of await givenTo(tx, await heldRun(tx, hold))) {
          if (message.status === 'delivered') await markRead(tx, message);
        }
        const messages = await take(tx, hold);
        return messages.length === 0 ? null : asPrompt(messages);
      }),
  };
}

export type RunMessages = ReturnType<typeof createRunMessages>;
