import { wordsOf } from '#domain/agent-message';
import type { Attempt } from '#domain/attempt';
import { markDelivered, waitingWords } from '#services/board/messages';
import type { Ports } from '#services/ports';
import type { Store } from '#store/store';
import { applyRunEvent } from './apply-event.ts';
import { attemptOfRun } from './finish.ts';
import { type Hold, heldRun } from './held-run.ts';

/** Messages to the agents of runs, for the workers that hold them. */
export function createRunWords(store: Pick<Store, 'reads' | 'transaction'>, ids: Ports['ids']) {
  return {
    /** Whether words wait for which the agent's turn is to be cut. */
    cannotWait: async (attempt: Pick<Attempt, 'id' | 'workspace_id'>): Promise<boolean> =>
      (await waitingWords(store.reads, attempt)).some(({ interrupt }) => interrupt),

    /** Stops the run: its end starts the next one with the words. */
    stopForWords: (hold: Hold): Promise<void> =>
      store.transaction(async (tx) => {
        await applyRunEvent({ tx, ids }, await heldRun(tx, hold), { type: 'stop', why: 'steered' });
      }),

    /** Takes what waits for the agent of the run, as one text; null for nothing. */
    take: (hold: Hold): Promise<string | null> =>
      store.transaction(async (tx) => {
        const entry = await heldRun(tx, hold);
        const attempt = await attemptOfRun(tx, entry);
        const messages = await waitingWords(tx, attempt);
        if (messages.length === 0) return null;
        // Should the worker end before the agent has them, the end of the run queues them again.
        await markDelivered(tx, messages, entry.execution_id);
        return wordsOf(messages);
      }),
  };
}

export type RunWords = ReturnType<typeof createRunWords>;
