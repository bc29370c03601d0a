import type { AuditDraft } from '#domain/audit';
import type { EventDraft } from '#domain/event';
import { appendEntries } from '#store/sql/repositories/audit';
import { appendChanges } from '#store/sql/repositories/events';
import type { Session, WriteSession } from '#store/sql/session';
import { statement } from '#store/sql/statement';
import type { OutboxRow } from '#store/sql/tables';

/** What the writers of different lanes leave in their commits: it gets its one order after them. */

/** How many rows are moved in one commit. Each holds what one group has left. */
const MOST = 64;

interface Left {
  readonly entries: readonly AuditDraft[];
  readonly events: readonly EventDraft[];
}

const insert = statement<Pick<OutboxRow, 'at' | 'body'>, never>('insert into outbox (at, body) values (:at, :body)');

export const leave = (session: WriteSession, left: Left): Promise<void> =>
  session.write(insert, { at: session.now, body: JSON.stringify(left) });

const oldest = statement<object, { readonly seq: number; readonly oldest: number | null }>(
  'select seq, (select min(id) from outbox) as oldest from event_head',
);

/** The number of the last event, and the first row that waits; null when none does. */
export const lookAtOutbox = async (session: Session) => (await session.get(oldest, {})) ?? { seq: 0, oldest: null };

// The first lock of everyone who moves rows: the next one begins to read when this one has committed.
const lock = statement<object, { readonly seq: number }>('select seq from event_head for update', 'postgres');

const page = statement<{ readonly limit: number }, OutboxRow>(
  'select id, at, body from outbox order by id limit :limit',
);

const remove = statement<{ readonly ids: string }, never>(
  `delete from outbox where id in (select json_array_elements_text(:ids::json)::bigint)`,
  'postgres',
);

/** How many rows were moved, and the number of the last event that was among them. */
export interface Moved {
  readonly rows: number;
  readonly head: number | null;
}

/**
 * Chains the audit entries and numbers the events of the first rows. The rows of one lane are in the order of its commits,
 * because a writer of a lane begins when the one before it is seen by all.
 */
export async function moveSome(session: WriteSession): Promise<Moved> {
  const [, rows] = await Promise.all([session.all(lock, {}), session.all(page, { limit: MOST })]);
  if (rows.length === 0) return { rows: 0, head: null };
  // Only `leave` writes it.
  const lefts = rows.map(({ at, body }) => ({ at, left: JSON.parse(body) as Left }));
  const entries = lefts.flatMap(({ at, left }) => left.entries.map((draft) => ({ draft, at })));
  const events = lefts.flatMap(({ at, left }) => left.events.map((draft) => ({ draft, at })));
  const [head] = await Promise.all([
    events.length === 0 ? null : appendChanges(session, events),
    entries.length > 0 && appendEntries(session, entries),
    session.write(remove, { ids: JSON.stringify(rows.map(({ id }) => id)) }),
  ]);
  return { rows: rows.length, head };
}

/** Moves everything: for a writer who is alone, whose own entries and events follow. */
export async function moveAll(session: WriteSession): Promise<void> {
  while ((await moveSome(session)).rows === MOST);
}

/** Whether more rows may wait. */
export const isFull = ({ rows }: Moved): boolean => rows === MOST;
