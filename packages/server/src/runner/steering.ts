import type { Hold } from '#services/runs/held-run';
import type { RunWords } from '#services/runs/run-words';
import type { Job } from './executor.ts';

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
  let isBusy = false;
  let looked_at = Number.NEGATIVE_INFINITY;
  let steer: ((words: string) => Promise<void>) | null = null;

  async function cut(): Promise<void> {
    // Without a way to go on in the same process, the run ends, and the next one resumes its session with the words.
    if (steer === null) return words.stopForWords(hold);
    const text = await words.take(hold);
    if (text !== null) await steer(text);
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
      if (!isRunning || isBusy || now - looked_at < LOOK_EVERY_MS) return;
      looked_at = now;
      isBusy = true;
      try {
        if (await words.cannotWait(attempt)) await cut();
      } finally {
        isBusy = false;
      }
    },
  };
}
