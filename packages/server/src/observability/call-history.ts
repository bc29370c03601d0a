const MAX_AGENTS = 1_000;
const MAX_CALLS = 100;
const MAX_LATENCIES = 512;

interface Observed {
  readonly tool: string;
  readonly transport: string;
  readonly agent_id: string | null;
  readonly outcome: string;
  readonly latency_ms: number;
}

interface Kept extends Pick<Observed, 'tool' | 'transport' | 'outcome' | 'latency_ms'> {
  readonly at: number;
}

interface Minute {
  calls: number;
  failed: number;
  /** Calls that did not wait. */
  timed: number;
  /** Sorted at the end of the minute; afterwards only the percentile is kept. */
  readonly latencies: number[];
  p99_ms: number;
}

interface Series {
  calls: number;
  failed: number;
  /** The last ones, written in a circle. */
  readonly latencies: number[];
}

const MINUTE_MS = 60_000;
/** A day. */
const MAX_CALL_MINUTES = 1_440;

const percentile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;

/** How many calls there were in each minute of the last day. */
function createMinutes(clock: () => number, waiting: ReadonlySet<string>) {
  const minutes = new Map<number, Minute>();
  const nowIn = (): number => Math.floor(clock() / MINUTE_MS);

  function close(minute: Minute): void {
    const sorted = minute.latencies.toSorted((a, b) => a - b);
    if (sorted.length > 0) minute.p99_ms = percentile(sorted, 0.99);
  }

  return {
    add: ({ tool, outcome, latency_ms }: Pick<Observed, 'tool' | 'outcome' | 'latency_ms'>): void => {
      const now = nowIn();
      let minute = minutes.get(now);
      if (minute === undefined) {
        for (const past of minutes.values()) {
          if (past.latencies.length === 0) continue;
          close(past);
          past.latencies.length = 0;
        }
        for (const at of minutes.keys()) if (at <= now - MAX_CALL_MINUTES) minutes.delete(at);
        minute = { calls: 0, failed: 0, timed: 0, latencies: [], p99_ms: 0 };
        minutes.set(now, minute);
      }
      minute.calls += 1;
      if (!waiting.has(tool)) {
        minute.latencies[minute.timed % MAX_LATENCIES] = latency_ms;
        minute.timed += 1;
      }
      if (outcome !== 'ok') minute.failed += 1;
    },

    spans: (count: number, parts: number) => {
      const now = nowIn();
      const length = count / parts;
      const first = now - count + 1;
      const spans = Array.from({ length: parts }, (_, part) => ({
        at: (first + part * length) * MINUTE_MS,
        calls: 0,
        failed: 0,
        p99_ms: 0,
      }));
      for (const [at, minute] of minutes) {
        const span = at > now ? undefined : spans[Math.floor((at - first) / length)];
        if (span === undefined) continue;
        close(minute);
        span.calls += minute.calls;
        span.failed += minute.failed;
        span.p99_ms = Math.max(span.p99_ms, minute.p99_ms);
      }
      return spans;
    },
  };
}

/** The latest calls of each agent, and figures of all calls of this process, in memory and bounded. A tool that waits as long as its caller says is not slow. */
export function createCallHistory(clock: () => number, waiting: ReadonlySet<string> = new Set()) {
  const agents = new Map<string, Kept[]>();
  const seen = new Map<string, number>();
  const tools = new Map<string, Series>();
  const codes = new Map<string, number>();
  const minutes = createMinutes(clock, waiting);

  function ofAgent(agent_id: string, call: Kept): void {
    const known = agents.get(agent_id) ?? [];
    // Put at the end again: the agent that was quiet for longest comes first, and is forgotten first.
    agents.delete(agent_id);
    known.unshift(call);
    agents.set(agent_id, known.slice(0, MAX_CALLS));
    const [oldest] = agents.keys();
    if (agents.size > MAX_AGENTS && oldest !== undefined) agents.delete(oldest);
  }

  return {
    since: clock(),
    add: ({ tool, transport, agent_id, outcome, latency_ms }: Observed): void => {
      if (agent_id !== null) ofAgent(agent_id, { tool, transport, outcome, latency_ms, at: clock() });
      const series = tools.get(tool) ?? { calls: 0, failed: 0, latencies: [] };
      tools.set(tool, series);
      series.latencies[series.calls % MAX_LATENCIES] = latency_ms;
      series.calls += 1;
      minutes.add({ tool, outcome, latency_ms });
      if (outcome === 'ok') return;
      series.failed += 1;
      codes.set(outcome, (codes.get(outcome) ?? 0) + 1);
    },
    /** Notes a request of an agent, also one that calls no tool. */
    saw: (agent_id: string): void => {
      // Put at the end again, as its calls are.
      seen.delete(agent_id);
      seen.set(agent_id, clock());
      const [oldest] = seen.keys();
      if (seen.size > MAX_AGENTS && oldest !== undefined) seen.delete(oldest);
    },
    seenAt: (agent_id: string): number | null => seen.get(agent_id) ?? null,
    ofAgent: (agent_id: string): readonly Kept[] => agents.get(agent_id) ?? [],
    tools: () =>
      [...tools].map(([tool, { calls, failed, latencies }]) => {
        const sorted = latencies.toSorted((a, b) => a - b);
        return { tool, calls, failed, p50_ms: percentile(sorted, 0.5), p99_ms: percentile(sorted, 0.99) };
      }),
    spans: minutes.spans,
    outcomes: () => [...codes].map(([code, count]) => ({ code, count })),
  };
}
