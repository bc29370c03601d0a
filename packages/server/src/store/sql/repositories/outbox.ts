import type { AuditDraft } from '#domain/audit';
import type { EventDraft } from '#domain/event';
import { chainEntries, head, readChain } from '#store/sql/repositories/audit';
import { numberChanges } from '#store/sql/repositories/events';
import type { Session, WriteSession } from '#store/sql/session';
import { statement } from '#store/sql/statement';
import type { OutboxRow } from '#store/sql/tables';

/** Audit entries and events that writers of different lanes left in their commits. They get their order afterwards. */

/** How many rows are moved in one commit. Each holds what one group has left. */
const MAX_ROWS = 64;

interface OutboxBody {
  readonly entries: readonly AuditDraft[];
  readonly events: readonly EventDraft[];
}

const insert = statement<Pick<OutboxRow, 'at' | 'body'>, never>('insert into outbox (at, body) values (:at, :body)');

export const leave = (session: WriteSession, body: OutboxBody): Promise<void> =>
  session.write(insert, { at: session.now, body: JSON.stringify(body) });

const oldest = statement<object, { readonly seq: number; readonly oldest: number | null }>(
  'select seq, (select min(id) from outbox) as oldest from event_head',
);

/** The number of the last event, and the first row that waits; null when none does. */
export const lookAtOutbox = async (session: Session) => (await session.get(oldest, {})) ?? { seq: 0, oldest: null };

// The first lock of everyone who moves rows: the next one begins to read when this one has committed.
const lock = statement<object, { readonly seq: number }>('select seq from event_head for update', 'postgres');
const tryLock = statement<object, { readonly seq: number }>(
  'select seq from event_head for update skip locked',
  'postgres',
);

const page = statement<{ readonly limit: number }, OutboxRow>(
  'select id, at, body from outbox order by id limit :limit',
);

const remove = statement<{ readonly ids: string }, never>(
  `delete from outbox where id in (select json_array_elements_text(:ids::json)::bigint)`,
  'postgres',
);

/** How many rows were moved, and the number of the last event that was numbered. */
export interface Moved {
  readonly rows: number;
  readonly head: number | null;
}

/** The rows that wait for their order, and the ends of chain and events. `seq` is null without the lock. */
async function readWaiting(session: Session, first: typeof lock) {
  // The database runs them in this order: rows that are read before the lock is held may be from before the last move.
  const [[numbered], chain, rows] = await Promise.all([
    session.all(first, {}),
    readChain(session),
    session.all(page, { limit: MAX_ROWS }),
  ]);
  return { seq: numbered?.seq ?? null, chain, rows };
}

interface TimedBody extends OutboxBody {
  readonly at: number;
}

type Waiting = Awaited<ReturnType<typeof readWaiting>>;

/** Chains the entries and numbers the events of these rows, then those of the writer itself. Resolves when all is sent. */
async function order(session: WriteSession, { seq, chain, rows }: Waiting, own: readonly TimedBody[]): Promise<Moved> {
  // Only `leave` writes it.
  const left = rows.map(({ at, body }): TimedBody => ({ at, ...(JSON.parse(body) as OutboxBody) }));
  const all = [...left, ...own];
  const entries = all.flatMap((one) => one.entries.map((draft) => ({ draft, at: one.at })));
  const events = all.flatMap((one) => one.events.map((draft) => ({ draft, at: one.at })));
  const [head] = await Promise.all([
    events.length === 0 ? null : numberChanges(session, seq, events),
    entries.length > 0 && chainEntries(session, chain, entries),
    rows.length > 0 && session.write(remove, { ids: JSON.stringify(rows.map(({ id }) => id)) }),
  ]);
  return { rows: rows.length, head };
}

/**
 * Chains the audit entries and numbers the events of the first rows. The rows of one lane are in the order of its commits,
 * because a writer of a lane begins when the one before it is seen by all.
 */
export async function moveSome(session: WriteSession): Promise<Moved> {
  return order(session, await readWaiting(session, lock), []);
}

/** The name under which a group finds what it has read of places with its locks. */
export const PLACES = 'places';

/** What follows `takePlaces`, in a statement of its own: it sees what was written before the right was taken. */
export const LEFT = { chain: head, rows: page } as const;
export const LEFT_PARAMS = { chain: {}, rows: { limit: MAX_ROWS } } as const;

/** Takes the right to give places, if nobody else has it. Returns the number of the last event, or null. */
export async function takePlaces(session: Session): Promise<number | null> {
  return (await session.get(tryLock, {}))?.seq ?? null;
}

/** Takes the right to give places, if nobody else has it, and reads what that needs. */
export const readPlaces = (session: Session): Promise<Waiting> => readWaiting(session, tryLock);

/**
 * Gives what a writer leaves its place in its own commit, after all that waits: earlier rows of its lane are among those.
 * Resolves with null where it has to be left: another gives places at this moment, or too much waits.
 */
export async function placeNow(session: WriteSession, own: OutboxBody): Promise<Moved | null> {
  const waiting = session.take<Waiting>(PLACES) ?? (await readPlaces(session));
  if (waiting.seq === null || waiting.rows.length === MAX_ROWS) return null;
  return order(session, waiting, [{ at: session.now, ...own }]);
}

/** Moves everything: for a writer who is alone, whose own entries and events follow. */
export async function moveAll(session: WriteSession): Promise<void> {
  while ((await moveSome(session)).rows === MAX_ROWS);
}

/** Whether more rows may wait. */
export const isFull = ({ rows }: Moved): boolean => rows === MAX_ROWS;
