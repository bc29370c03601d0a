import { setTimeout as sleep } from 'node:timers/promises';
import { type EarlyEnd, strongerEnd } from '#domain/run-machine';
import type { Hold } from '#services/runs/held-run';
import type { RunQueue } from '#services/runs/queue';

/** How long a worker waits before it asks a database again that was away. */
export const RETRY_MS = 500;

/** The hold of a worker on one run: why the run must end early, and whether the worker still holds it. */
export interface RunHold {
  /** Aborted when the run must end early. */
  readonly signal: AbortSignal;
  readonly earlyEnd: () => EarlyEnd | null;
  readonly endEarly: (why: EarlyEnd) => void;
  /** Asks the store whether the worker still holds the run, until the store answers. */
  readonly isHeld: () => Promise<boolean>;
}

interface Needs {
  readonly queue: Pick<RunQueue, 'isHeld'>;
  readonly hold: Hold;
  readonly report: (error: unknown) => void;
}

export function createRunHold({ queue, hold, report }: Needs): RunHold {
  const abort = new AbortController();
  let reason: EarlyEnd | null = null;

  function endEarly(why: EarlyEnd): void {
    reason = strongerEnd(reason, why);
    abort.abort();
  }

  const earlyEnd = (): EarlyEnd | null => reason;

  return {
    signal: abort.signal,
    earlyEnd,
    endEarly,
    // A process that was asleep learns here that another worker took its run over, before it touches that worker's folders.
    isHeld: async () => {
      while (earlyEnd() !== 'lost') {
        try {
          if (await queue.isHeld(hold)) return true;
          endEarly('lost');
        } catch (error) {
          report(error);
          await sleep(RETRY_MS);
        }
      }
      return false;
    },
  };
}
