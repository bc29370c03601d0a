import { z } from 'zod';
import type { CallFigures, RecentCall } from '#domain/call-figures';
import type { AgentId } from '#domain/ids';
import type { ClientFigures, DatabaseFigures, QueueFigures } from '#domain/operations';
import { findAgent } from './agents.ts';
import type { Ports } from './ports.ts';
import type { ReadWork } from './work.ts';

const MAX_CLIENT_SESSIONS = 2_000;

const Facts = z.object({
  protocol_version: z.string(),
  client: z.object({ name: z.string(), version: z.string().optional() }).nullable().catch(null),
});

function clientsOf(facts: readonly string[]): readonly ClientFigures[] {
  const counted = new Map<string, ClientFigures>();
  for (const text of facts) {
    const { data } = Facts.safeParse(JSON.parse(text));
    if (data === undefined) continue;
    const who = {
      name: data.client?.name ?? null,
      version: data.client?.version ?? null,
      protocol: data.protocol_version,
    };
    const key = JSON.stringify(who);
    counted.set(key, { ...who, count: (counted.get(key)?.count ?? 0) + 1 });
  }
  return [...counted.values()].toSorted((a, b) => b.count - a.count);
}

interface Operations {
  readonly version: string;
  readonly calls: CallFigures;
  readonly database: DatabaseFigures;
  readonly queue: QueueFigures;
  readonly event_head: number;
  readonly workers: number;
  readonly clients: readonly ClientFigures[];
}

interface CallsOfAgent {
  readonly calls: readonly RecentCall[];
  readonly seen_at: number | null;
}

/** How this installation runs, for its admins. Figures of calls are of the one server that answers. */
export function createOperations({ version, calls }: Pick<Ports, 'version' | 'calls'>) {
  return {
    show: async ({ tx, caller }: ReadWork): Promise<Operations> => ({
      version,
      calls,
      database: await tx.operations.database(),
      queue: await tx.operations.queue(caller.workspace_id),
      event_head: await tx.events.head(),
      workers: (await tx.workers.live()).length,
      clients: clientsOf(await tx.operations.clientFacts(MAX_CLIENT_SESSIONS)),
    }),

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
