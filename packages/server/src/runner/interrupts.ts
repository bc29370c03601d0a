import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseError } from '#errors';
import type { Hold } from '#services/runs/held-run';
import type { RunMessages, TakenMessages } from '#services/runs/run-messages';
import type { Job } from './executor.ts';
import { RETRY_MS } from './run-hold.ts';

interface Needs {
  readonly messages: RunMessages;
  readonly hold: Hold;
  readonly attempt: Parameters<RunMessages['cannotWait']>[0];
}

/** Every commit wakes the worker: messages that cannot wait are looked for less often. */
const LOOK_EVERY_MS = 500;

/** Cuts the turn of a running agent for messages that cannot wait. */
export function createInterrupts({ messages, hold, attempt }: Needs) {
  let isRunning = false;
  let looking: Promise<void> | null = null;
  let looked_at = Number.NEGATIVE_INFINITY;
  let interrupt: ((words: string) => Promise<boolean>) | null = null;

  /** Until it is written: the end of the run would take the messages for read. */
  async function giveBack({ message_ids }: TakenMessages): Promise<void> {
    for (;;) {
      try {
        return await messages.giveBack(hold, message_ids);
      } catch (error) {
        if (!isDatabaseError(error)) throw error;
        await sleep(RETRY_MS);
      }
    }
  }

  async function cut(): Promise<void> {
    // Without a way to go on in the same process, the run ends, and the next one resumes its session with the messages.
    if (interrupt === null) return messages.stopForMessages(hold);
    const taken = await messages.cut(hold);
    if (taken === null) return;
    const isTaken = await interrupt(taken.text).catch(() => false);
    if (!isTaken) await giveBack(taken);
  }

  async function look(): Promise<void> {
    if (await messages.cannotWait(attempt)) await cut();
  }

  return {
    /** The executor runs: from here on messages reach it. */
    begin: (): void => {
      isRunning = true;
    },
    onInterrupt: ((given) => {
      interrupt = given;
    }) satisfies Job['onInterrupt'],
    lookForMessages: async (): Promise<void> => {
      const now = performance.now();
      if (!isRunning || looking !== null || now - looked_at < LOOK_EVERY_MS) return;
      looked_at = now;
      looking = look();
      try {
        await looking;
      } finally {
        looking = null;
      }
    },
    /** The executor has ended: from here on messages wait for the next run. */
    end: async (): Promise<void> => {
      isRunning = false;
      // The caller that began to look gets its failure.
      await looking?.catch(() => undefined);
    },
  };
}
