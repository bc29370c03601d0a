import { type Event, type EventDraft, UnreadableEvent } from '#domain/event';
import { LIMIT } from '#store/sql/page';
import type { Session, WriteSession } from '#store/sql/session';
import { bulkInsert, statement } from '#store/sql/statement';
import type { EventRow } from '#store/sql/tables';
import { writeNumbered } from '#store/sql/write-numbered';
import type { NumberedPage, Reads, Transaction } from '#store/store';

interface Seq {
  readonly seq: number;
}

const head = statement<object, Seq>('select seq from event_head');

const page = statement<NumberedPage, EventRow>(
  `select seq, at, body from events where seq > :after order by seq ${LIMIT}`,
);

// Deletes from the start of the list only, also when the clock went back: a reader must not miss an event in the middle.
const sweep = statement<{ readonly before: number; readonly limit: number }, never>(`
  delete from events where seq <= (
    select max(seq) from (select seq, at from events order by seq ${LIMIT}) as oldest
    where at < :before)`);

const moveHead = statement<{ readonly count: number }, Seq>('update event_head set seq = seq + :count returning seq');

const insert = bulkInsert<EventRow>('events', { seq: 'bigint', at: 'bigint', body: 'text' });

/** An event of the time at which its change was made. */
export interface TimedEvent {
  readonly draft: EventDraft;
  readonly at: number;
}

/** Numbers the events in order. Returns the last number. */
export async function appendChanges(session: WriteSession, events: readonly TimedEvent[]): Promise<number> {
  const last = await writeNumbered(session, moveHead, { count: events.length });
  const first = last - events.length + 1;
  await session.insertAll(
    insert,
    events.map(({ draft, at }, i) => ({ seq: first + i, at, body: JSON.stringify(draft) })),
  );
  return last;
}

// Checks only what decides who receives the event. The reader of the event checks its data.
function isDraft(value: Partial<EventDraft> | null): value is EventDraft {
  return typeof value?.kind === 'string' && typeof value.audience === 'object' && value.audience !== null;
}

function draftOf(body: string): EventDraft | null {
  try {
    const value: Partial<EventDraft> | null = JSON.parse(body);
    return isDraft(value) ? value : null;
  } catch {
    return null;
  }
}

/** The events before the first unreadable one. */
function readable(rows: readonly EventRow[]): readonly Event[] {
  const events: Event[] = [];
  for (const { seq, at, body } of rows) {
    const draft = draftOf(body);
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
