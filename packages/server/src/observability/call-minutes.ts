import { percentile } from './percentile.ts';

const MINUTE_MS = 60_000;
/** A week. A minute without calls takes nothing, and one with calls a few numbers. */
const MAX_MINUTES = 10_080;
const MAX_LATENCIES = 512;

interface Minute {
  calls: number;
  mcp: number;
  failed: number;
  faults: number;
  /** Calls that did not wait. */
  timed: number;
  /** Of the calls of this minute; afterwards only the percentiles are kept. */
  latencies: number[];
  p50_ms: number;
  p99_ms: number;
}

interface Counted {
  readonly is_mcp: boolean;
  readonly failed: boolean;
  /** Whether the server has failed. */
  readonly is_fault: boolean;
  /** Null for a call that waits as long as its caller says. */
  readonly latency_ms: number | null;
}

const EMPTY: Minute = { calls: 0, mcp: 0, failed: 0, faults: 0, timed: 0, latencies: [], p50_ms: 0, p99_ms: 0 };

function measure(minute: Minute): void {
  const sorted = minute.latencies.toSorted((a, b) => a - b);
  if (sorted.length === 0) return;
  minute.p50_ms = percentile(sorted, 0.5);
  minute.p99_ms = percentile(sorted, 0.99);
}

/** How the calls of each minute of the last week went. */
export function createCallMinutes(clock: () => number) {
  const minutes = new Map<number, Minute>();
  const nowIn = (): number => Math.floor(clock() / MINUTE_MS);

  function begin(now: number): Minute {
    for (const [at, past] of minutes) {
      if (at <= now - MAX_MINUTES) minutes.delete(at);
      else if (past.latencies !== EMPTY.latencies) {
        measure(past);
        past.latencies = EMPTY.latencies;
      }
    }
    const minute = { ...EMPTY, latencies: [] };
    minutes.set(now, minute);
    return minute;
  }

  return {
    add: ({ is_mcp, failed, is_fault, latency_ms }: Counted): void => {
      const now = nowIn();
      const minute = minutes.get(now) ?? begin(now);
      minute.calls += 1;
      if (is_mcp) minute.mcp += 1;
      if (failed) minute.failed += 1;
      if (is_fault) minute.faults += 1;
      if (latency_ms === null) return;
      // A clock that was put back counts in a minute whose latencies are gone.
      if (minute.latencies !== EMPTY.latencies) minute.latencies[minute.timed % MAX_LATENCIES] = latency_ms;
      minute.timed += 1;
    },

    spans: (count: number, parts: number) => {
      const now = nowIn();
      const length = count / parts;
      const first = now - count + 1;
      const spans = Array.from({ length: parts }, (_, part) => ({
        at: (first + part * length) * MINUTE_MS,
        ...{ calls: 0, mcp: 0, failed: 0, faults: 0, timed: 0, p50_ms: 0, p99_ms: 0 },
      }));
      for (const [at, minute] of minutes) {
        const span = at > now ? undefined : spans[Math.floor((at - first) / length)];
        if (span === undefined) continue;
        measure(minute);
        span.calls += minute.calls;
        span.mcp += minute.mcp;
        span.failed += minute.failed;
        span.faults += minute.faults;
        span.p99_ms = Math.max(span.p99_ms, minute.p99_ms);
        span.timed += minute.timed;
        // The mean of the medians, each for as many calls as it stands for.
        if (span.timed > 0) span.p50_ms += ((minute.p50_ms - span.p50_ms) * minute.timed) / span.timed;
      }
      return spans;
    },
  };
}
