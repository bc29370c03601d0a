import { z } from 'zod';
import type { CallFigures, ClientCalls, RecentCall } from '#domain/call-figures';
import type { AgentId } from '#domain/ids';
import type { ClientFigures, DatabaseFigures, DiskFigures, EventFigures, QueueFigures } from '#domain/operations';
import { findAgent } from './agents.ts';
import type { Ports } from './ports.ts';
import type { ReadWork } from './work.ts';

const MAX_CLIENT_SESSIONS = 2_000;

const Facts = z.object({
  protocol_version: z.string(),
  client: z
    .object({ name: z.string(), title: z.string().optional(), version: z.string().optional() })
    .nullable()
    .catch(null),
});

/** The clients with their sessions and calls. Those that need no session are known by their calls alone. */
function clientsOf(facts: readonly string[], called: readonly ClientCalls[]): readonly ClientFigures[] {
  const counted = new Map<string, ClientFigures>();
  const add = ({ name, version, protocol, count, calls }: ClientFigures): void => {
    const key = JSON.stringify([name, version, protocol]);
    const known = counted.get(key) ?? { count: 0, calls: 0 };
    counted.set(key, { name, version, protocol, count: known.count + count, calls: known.calls + calls });
  };
  for (const text of facts) {
    const { data } = Facts.safeParse(JSON.parse(text));
    if (data === undefined) continue;
    const { client } = data;
    const who = { name: client?.title ?? client?.name ?? null, version: client?.version ?? null };
    add({ ...who, protocol: data.protocol_version, count: 1, calls: 0 });
  }
  for (const client of called) add({ ...client, count: 0 });
  return [...counted.values()].toSorted((a, b) => b.calls - a.calls || b.count - a.count);
}

interface Operations {
  readonly version: string;
  readonly calls: CallFigures;
  readonly database: DatabaseFigures & { readonly read_ms: number; readonly grows_bytes: number | null };
  readonly disk: DiskFigures | null;
  readonly events: EventFigures;
  readonly queue: QueueFigures & { readonly workers: number; readonly places: number };
  /** The most runs that waited in each part of the last minutes; null for a part that was not measured. */
  readonly queued: (minutes: number, parts: number) => readonly (number | null)[];
  readonly event_head: number;
  readonly tool_count: number;
  readonly clients: readonly ClientFigures[];
}

interface CallsOfAgent {
  readonly calls: readonly RecentCall[];
  readonly seen_at: number | null;
}

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/** How much the database grows in a day; null while it was watched for less than an hour. */
function growth(first: { readonly at: number; readonly bytes: number } | null, bytes: number, now: number) {
  if (first === null || now - first.at < HOUR_MS) return null;
  return Math.round(((bytes - first.bytes) * DAY_MS) / (now - first.at));
}

/** How this installation runs, for its admins. Figures of calls are of the one server that answers. */
export function createOperations({
  version,
  calls,
  server,
  clock,
}: Pick<Ports, 'version' | 'calls' | 'server' | 'clock'>) {
  return {
    show: async ({ tx, caller }: ReadWork): Promise<Operations> => {
      const started = performance.now();
      const queue = await tx.operations.queue(caller.workspace_id);
      const read_ms = Math.round((performance.now() - started) * 100) / 100;
      const database = await tx.operations.database();
      const workers = await tx.workers.live();
      return {
        version,
        calls,
        database: { ...database, read_ms, grows_bytes: growth(server.firstSize(), database.bytes, clock()) },
        disk: server.disk(),
        events: server.events(),
        queue: {
          ...queue,
          workers: workers.length,
          places: workers.reduce((sum, { max_runs }) => sum + max_runs, 0),
        },
        queued: server.queued,
        event_head: await tx.events.head(),
        tool_count: server.tools,
        clients: clientsOf(await tx.operations.clientFacts(MAX_CLIENT_SESSIONS), calls.clients()),
      };
    },

    callsOf: async (work: ReadWork, id: AgentId): Promise<CallsOfAgent> => {
      await findAgent(work, id);
      return { calls: calls.ofAgent(id), seen_at: calls.seenAt(id) };
    },

    /** When an agent called last: after a restart, the last call that the audit trail has. Null before the first. */
    lastCallOf: async ({ tx, caller }: ReadWork, id: AgentId): Promise<number | null> => {
      const [latest] = calls.ofAgent(id);
      if (latest !== undefined) return latest.at;
      const [entry] = await tx.audit.list(caller.workspace_id, { agent_id: id, before: null, limit: 1 });
      return entry?.at ?? null;
    },
  };
}
