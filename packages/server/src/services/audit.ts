import { type AuditEvent, type AuditFilter, auditText } from '#domain/audit';
import { type PageOf, type PageRequest, readPage } from './pages.ts';
import type { Ports } from './ports.ts';
import { BEFORE_ALL, type Head, type Verification, verifyChain } from './verify-chain.ts';
import type { ReadWork } from './work.ts';

interface AuditRequest extends PageRequest, AuditFilter {
  /** Only what was done at this time or later. */
  readonly since?: string | undefined;
}

/** An entry with the names of its user, agent and token, as far as they still exist. */
export interface AuditRow extends AuditEvent {
  readonly user_name: string | null;
  readonly agent_name: string | null;
  /** What people call the changed thing, and its title if it has one; null for what has no name, or is gone. */
  readonly entity_name: string | null;
  readonly entity_title: string | null;
  readonly entity_project: string | null;
  readonly entity_words: string | null;
  readonly entity_answer: string | null;
}

export interface ExportedEvent {
  readonly event: AuditEvent;
  /** The text that the hash covers; null for an entry of another workspace, of which only the position is shown. */
  readonly hashed: string | null;
}

export interface AuditPart {
  readonly events: readonly ExportedEvent[];
  /** The number to continue after; null for the last part. */
  readonly next_after: number | null;
  /** The head of the chain, with the last part only; null also when it was removed from the database. */
  readonly head: Head | null;
}

/** Reads each name once, even if it occurs many times. */
async function namesOf<Id extends string>(
  ids: readonly (Id | null)[],
  find: (id: Id) => Promise<{ readonly name: string } | null>,
): Promise<ReadonlyMap<Id, string>> {
  const known = new Map<Id, string>();
  for (const id of new Set(ids)) {
    const found = id === null ? null : await find(id);
    if (id !== null && found !== null) known.set(id, found.name);
  }
  return known;
}

async function withNames({ tx, caller }: ReadWork, events: readonly AuditEvent[]): Promise<readonly AuditRow[]> {
  const users = await namesOf(
    events.map(({ user_id }) => user_id),
    (id) => tx.users.find(caller.workspace_id, id),
  );
  const agents = await namesOf(
    events.map(({ agent_id }) => agent_id),
    (id) => tx.agents.find(caller.workspace_id, id),
  );
  const ids = [...new Set(events.flatMap(({ entity_id }) => entity_id ?? []))];
  const things = new Map((await tx.audit.named(caller, ids)).map((thing) => [thing.id, thing]));
  return events.map((event) => {
    const thing = things.get(event.entity_id ?? '');
    return {
      ...event,
      user_name: users.get(event.user_id) ?? null,
      agent_name: event.agent_id === null ? null : (agents.get(event.agent_id) ?? null),
      entity_name: thing?.name ?? null,
      entity_title: thing?.title ?? null,
      entity_project: thing?.project ?? null,
      entity_words: thing?.words ?? null,
      entity_answer: thing?.answer ?? null,
    };
  });
}

/** The number of the last entry before a time. Entries are numbered in the order of their times. */
async function lastBefore({ audit }: ReadWork['tx'], at: number): Promise<number> {
  let low = 0;
  let high = (await audit.head())?.seq ?? 0;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [next] = await audit.page(middle, 1);
    if (next === undefined || next.at >= at) high = middle;
    else low = next.seq;
  }
  return low;
}

/** Escapes to ASCII: answers drop invisible characters, and without them the hash would not match. */
const escaped = (json: string): string =>
  json.replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Returns one part of the whole chain, oldest first. */
async function partAfter({ tx, caller }: ReadWork, after: number, limit: number): Promise<AuditPart> {
  // Read before the entries: all entries that the head counts must exist by then.
  const head = await tx.audit.head();
  const page = await tx.audit.page(after, limit);
  const last = page.at(-1);
  const isLast = last === undefined || (page.length < limit && last.seq <= (head?.seq ?? last.seq));
  const events = page.map((event) => ({
    event,
    hashed: event.workspace_id === caller.workspace_id ? escaped(auditText(event)) : null,
  }));
  return isLast ? { events, next_after: null, head } : { events, next_after: last.seq, head: null };
}

/** The audit trail: lists it, exports it, and verifies the chain. */
export function createAudit({ cursors }: Pick<Ports, 'cursors'>) {
  return {
    verify: ({ tx }: ReadWork, noted: Head | null): Promise<Verification> => verifyChain(tx.audit, noted),

    list: async (work: ReadWork, { limit, cursor, since, ...filter }: AuditRequest): Promise<PageOf<AuditRow>> => {
      const { caller, tx } = work;
      const last = since === undefined ? undefined : await lastBefore(tx, Date.parse(since));
      const { rows, ...more } = await readPage(
        cursors,
        { limit, cursor },
        {
          name: `audit:${caller.workspace_id}:${JSON.stringify({ since, ...filter })}`,
          read: async ({ after, limit: wanted }) => {
            const before = after === null ? null : Number(after);
            const events = await tx.audit.list(caller.workspace_id, { ...filter, before, after: last, limit: wanted });
            return events.map((event) => ({ ...event, id: String(event.seq) }));
          },
        },
      );
      return { rows: await withNames(work, rows), ...more };
    },

    part: (work: ReadWork, after: number | null, limit: number): Promise<AuditPart> =>
      partAfter(work, after ?? BEFORE_ALL, limit),
  };
}
