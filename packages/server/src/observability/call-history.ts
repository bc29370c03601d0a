import { createCallMinutes } from './call-minutes.ts';
import { percentile } from './percentile.ts';

const MAX_AGENTS = 1_000;
/** Clients name themselves: one with ever new names must not fill the memory. */
const MAX_CLIENTS = 200;
const MAX_NAME_CHARACTERS = 100;
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

interface Kinds {
  /** Tools that wait as long as their callers say. */
  readonly waiting?: ReadonlySet<string>;
  /** Whether the server has failed, and not only refused. */
  readonly isFault?: (outcome: string) => boolean;
}

interface Client {
  readonly client: { readonly title: string; readonly version: string } | null;
  readonly protocol_version: string;
}

interface Counted {
  readonly name: string | null;
  readonly version: string | null;
  readonly protocol: string;
  calls: number;
}

/** A copy of what is cut: a part of a text keeps the whole of it in memory, and a client may give itself a name of megabytes. */
const shortened = (name: string): string =>
  name.length <= MAX_NAME_CHARACTERS ? name : Buffer.from(name.slice(0, MAX_NAME_CHARACTERS)).toString();

/** The latest calls of each agent, and figures of all calls of this process, in memory and bounded. A tool that waits as long as its caller says is not slow. */
export function createCallHistory(clock: () => number, { waiting = new Set(), isFault = () => false }: Kinds = {}) {
  const agents = new Map<string, Kept[]>();
  const seen = new Map<string, number>();
  const tools = new Map<string, Series>();
  const codes = new Map<string, number>();
  const clients = new Map<string, Counted>();
  const minutes = createCallMinutes(clock);

  function ofAgent(agent_id: string, call: Kept): void {
    const known = agents.get(agent_id) ?? [];
    // Put at the end again: the agent that was quiet for longest comes first, and is forgotten first.
    agents.delete(agent_id);
    known.unshift(call);
    agents.set(agent_id, known.slice(0, MAX_CALLS));
    const [oldest] = agents.keys();
    if (agents.size > MAX_AGENTS && oldest !== undefined) agents.delete(oldest);
  }

  function ofClient({ client, protocol_version }: Client): void {
    // Cut before they are compared: a client may call itself what it likes, at any length.
    const [name, version] = client === null ? [null, null] : [shortened(client.title), shortened(client.version)];
    const protocol = shortened(protocol_version);
    const key = `${name}\n${version}\n${protocol}`;
    const known = clients.get(key);
    if (known !== undefined) {
      known.calls += 1;
      return;
    }
    const [rarest] = [...clients].toSorted(([, a], [, b]) => a.calls - b.calls);
    if (clients.size >= MAX_CLIENTS && rarest !== undefined) clients.delete(rarest[0]);
    clients.set(key, { name, version, protocol, calls: 1 });
  }

  return {
    since: clock(),
    add: ({ tool, transport, agent_id, outcome, latency_ms }: Observed, client?: Client): void => {
      if (client !== undefined) ofClient(client);
      if (agent_id !== null) ofAgent(agent_id, { tool, transport, outcome, latency_ms, at: clock() });
      const series = tools.get(tool) ?? { calls: 0, failed: 0, latencies: [] };
      tools.set(tool, series);
      series.latencies[series.calls % MAX_LATENCIES] = latency_ms;
      series.calls += 1;
      minutes.add({
        is_mcp: transport.startsWith('mcp'),
        failed: outcome !== 'ok',
        is_fault: outcome !== 'ok' && isFault(outcome),
        latency_ms: waiting.has(tool) ? null : latency_ms,
      });
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
    clients: () => [...clients.values()].map((client) => ({ ...client })),
    outcomes: () => [...codes].map(([code, count]) => ({ code, count, is_fault: isFault(code) })),
  };
}
