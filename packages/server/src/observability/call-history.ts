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

interface Series {
  calls: number;
  failed: number;
  /** The last ones, written in a circle. */
  readonly latencies: number[];
}

const percentile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;

/** The latest calls of each agent, and figures of all calls of this process, in memory and bounded. */
export function createCallHistory(clock: () => number) {
  const agents = new Map<string, Kept[]>();
  const tools = new Map<string, Series>();
  const codes = new Map<string, number>();

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
      if (outcome === 'ok') return;
      series.failed += 1;
      codes.set(outcome, (codes.get(outcome) ?? 0) + 1);
    },
    ofAgent: (agent_id: string): readonly Kept[] => agents.get(agent_id) ?? [],
    tools: () =>
      [...tools].map(([tool, { calls, failed, latencies }]) => {
        const sorted = latencies.toSorted((a, b) => a - b);
        return { tool, calls, failed, p50_ms: percentile(sorted, 0.5), p99_ms: percentile(sorted, 0.99) };
      }),
    outcomes: () => [...codes].map(([code, count]) => ({ code, count })),
  };
}
