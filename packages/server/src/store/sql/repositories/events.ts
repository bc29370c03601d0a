import { type Event, type EventDraft, UnreadableEvent } from '#domain/event';
import { eventOf, type Shaped, shapeOf } from '#store/sql/event-shape';
import { numbered, numbersOf } from '#store/sql/numbered';
import { LIMIT } from '#store/sql/page';
import type { Session, WriteSession } from '#store/sql/session';
import { bulkInsert, statement } from '#store/sql/statement';
import type { EventRow } from '#store/sql/tables';
import { counterMissing } from '#store/sql/write-numbered';
import type { NumberedPage, Reads, Transaction } from '#store/store';

interface Seq {
  readonly seq: number;
}

const head = statement<object, Seq>('select seq from event_head');

/** An event as it is read: with its shape, or whole in `body`. */
type ReadRow = Pick<EventRow, 'seq' | 'at' | 'body' | 'ids' | 'rest'> & { readonly shape: string | null };

const page = statement<NumberedPage, ReadRow>(
  ({ digestText }) => `
    select events.seq, events.at, events.body, event_shapes.shape, ${digestText('events.ids')} as ids, events.rest
    from events left join event_shapes on event_shapes.id = events.shape
    where events.seq > :after order by events.seq ${LIMIT}`,
);

// Deletes from the start of the list only, also when the clock went back: a reader must not miss an event in the middle.
const sweep = statement<{ readonly before: number; readonly limit: number }, never>(`
  delete from events where seq <= (
    select max(seq) from (select seq, at from events order by seq ${LIMIT}) as oldest
    where at < :before)`);

const moveHead = statement<{ readonly count: number }, never>('update event_head set seq = seq + :count');

const insert = bulkInsert<EventRow>('events', {
  seq: 'bigint',
  at: 'bigint',
  body: 'text',
  shape: 'bigint',
  ids: 'digest',
  rest: 'text',
});

const SHAPES = numbered<Pick<Shaped, 'shape'>>('event_shapes', ['shape']);

/** An event of the time at which its change was made. */
export interface TimedEvent {
  readonly draft: EventDraft;
  readonly at: number;
}

async function insertFrom(session: WriteSession, first: number, events: readonly TimedEvent[]): Promise<void> {
  const shapes = events.map(({ draft }) => shapeOf(draft));
  const used = shapes.flatMap((shaped) => (shaped === null ? [] : { shape: shaped.shape }));
  const numbers = (await numbersOf(session, SHAPES, used)).values();
  const rows = events.map(({ draft, at }, i): EventRow => {
    const shaped = shapes[i] ?? null;
    const seq = first + i;
    if (shaped === null) return { seq, at, body: JSON.stringify(draft), shape: null, ids: null, rest: null };
    return { seq, at, body: '', shape: numbers.next().value ?? null, ids: shaped.ids, rest: shaped.rest };
  });
  await session.insertAll(insert, rows);
}

/** Numbers the events after this number, which nobody else can change now; null when there is none. Returns the last number. */
export async function numberChanges(
  session: WriteSession,
  seq: number | null,
  events: readonly TimedEvent[],
): Promise<number> {
  if (seq === null) throw counterMissing();
  await session.write(moveHead, { count: events.length });
  await insertFrom(session, seq + 1, events);
  return seq + events.length;
}

/** Numbers the events in order, for a writer who is alone. Returns the last number. */
// Read, then written: for a change that returns its row SQLite opens a table of its own, which takes six times as long.
export const appendChanges = async (session: WriteSession, events: readonly TimedEvent[]): Promise<number> =>
  numberChanges(session, (await session.get(head, {}))?.seq ?? null, events);

// Checks only what decides who receives the event. The reader of the event checks its data.
function isDraft(value: Partial<EventDraft> | null): value is EventDraft {
  return typeof value?.kind === 'string' && typeof value.audience === 'object' && value.audience !== null;
}

function draftOf({ body, shape, ids, rest }: ReadRow): EventDraft | null {
  try {
    if (shape !== null && ids !== null) return eventOf({ shape, ids, rest });
    const value: Partial<EventDraft> | null = JSON.parse(body);
    return isDraft(value) ? value : null;
  } catch {
    return null;
  }
}

/** The events before the first unreadable one. */
function readable(rows: readonly ReadRow[]): readonly Event[] {
  const events: Event[] = [];
  for (const row of rows) {
    const { seq, at } = row;
    const draft = draftOf(row);
    if (draft !== null) events.push({ ...draft, seq, at });
    else if (events.length > 0) break;
    else throw new UnreadableEvent(seq);
  }
  return events;
}

export const eventReads = (session: Session): Reads['events'] => ({
  head: async () => (await session.get(head, {}))?.seq ?? 0,
  page: async ({ after, limit }) => readable(await session.all(page, { after, limit })),
});

export const eventWrites = (session: WriteSession): Transaction['events'] => ({
  ...eventReads(session),
  sweep: (before, limit) => session.run(sweep, { before, limit }),
});
