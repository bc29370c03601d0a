import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseError } from '#errors';
import type { Hold } from '#services/runs/held-run';
import type { RunWords, TakenWords } from '#services/runs/run-words';
import type { Job } from './executor.ts';
import { RETRY_MS } from './run-hold.ts';

interface Needs {
  readonly words: RunWords;
  readonly hold: Hold;
  readonly attempt: Parameters<RunWords['cannotWait']>[0];
}

/** Every commit wakes the worker: words that cannot wait are looked for less often. */
const LOOK_EVERY_MS = 500;

/** Cuts the turn of a running agent for words that cannot wait. */
export function createSteering({ words, hold, attempt }: Needs) {
  let isRunning = false;
  let looking: Promise<void> | null = null;
  let looked_at = Number.NEGATIVE_INFINITY;
  let steer: ((words: string) => Promise<boolean>) | null = null;

  /** Until it is written: the end of the run would take the words for read. */
  async function giveBack({ message_ids }: TakenWords): Promise<void> {
    for (;;) {
      try {
        return await words.giveBack(hold, message_ids);
      } catch (error) {
        if (!isDatabaseError(error)) throw error;
        await sleep(RETRY_MS);
      }
    }
  }

  async function cut(): Promise<void> {
    // Without a way to go on in the same process, the run ends, and the next one resumes its session with the words.
    if (steer === null) return words.stopForWords(hold);
    const taken = await words.cut(hold);
    if (taken === null) return;
    const isTaken = await steer(taken.text).catch(() => false);
    if (!isTaken) await giveBack(taken);
  }

  async function look(): Promise<void> {
    if (await words.cannotWait(attempt)) await cut();
  }

  return {
    /** The executor runs: from here on words reach it. */
    begin: (): void => {
      isRunning = true;
    },
    onInterrupt: ((given) => {
      steer = given;
    }) satisfies Job['onInterrupt'],
    lookForWords: async (): Promise<void> => {
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
    /** The executor has ended: from here on words wait for the next run. */
    end: async (): Promise<void> => {
      isRunning = false;
      // Whoever began to look hears of its failure.
      await looking?.catch(() => undefined);
    },
  };
}
