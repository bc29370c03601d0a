import { setTimeout as sleep } from 'node:timers/promises';
import { type Sent, send } from '../../test/e2e/http.ts';

export interface Lap {
  readonly p95_ms: number;
  readonly most_ms: number;
}

export interface Polling {
  /** Returns how long the answers took since the last call of `lap`. */
  readonly lap: () => Lap;
  /** Stops. Rejects when any request failed. */
  readonly stop: () => Promise<void>;
}

interface Polled {
  readonly origin: string;
  readonly sent: Sent;
  readonly per_second: number;
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Polls at a steady pace without waiting for the previous answer, so that a stalled server is polled too. */
export function startPolling({ origin, sent, per_second }: Polled): Polling {
  let times: number[] = [];
  const open = new Set<Promise<void>>();
  const failures: string[] = [];
  let isOver = false;

  async function ask(): Promise<void> {
    const begun = performance.now();
    const { status, text } = await send(origin, sent);
    times.push(performance.now() - begun);
    if (status !== 200) failures.push(text);
  }

  async function poll(): Promise<void> {
    while (!isOver) {
      const asked: Promise<void> = ask()
        .catch((error: unknown) => void failures.push(String(error)))
        .finally(() => open.delete(asked));
      open.add(asked);
      await sleep(1_000 / per_second);
    }
    await Promise.all(open);
  }
  const polling = poll();

  return {
    lap: () => {
      const taken = times;
      times = [];
      return { p95_ms: percentile(taken, 0.95), most_ms: percentile(taken, 1) };
    },
    stop: async () => {
      isOver = true;
      await polling;
      if (failures.length > 0) throw new Error(`${failures.length} requests failed, the first: ${failures[0]}`);
    },
  };
}
