import type { NewId } from '#domain/ids';
import { appendEntries } from '#store/sql/repositories/audit';
import { appendChanges } from '#store/sql/repositories/events';
import type { JournalDrafts } from './journal.ts';
import type { WriteSession } from './session.ts';
import { appendMessages } from './write-messages.ts';

/** Writes what transactions have left, just before their commit. Returns the number of the last event; null when there was none. */
export type WriteJournal = (session: WriteSession, drafts: JournalDrafts) => Promise<number | null>;

/** For a writer who is alone: entries are chained and events numbered in the commit. */
export const createWriteJournal =
  (ids: NewId): WriteJournal =>
  async (session, { entries, events, exchanges }) => {
    const { now: at } = session;
    // Sent together: on Postgres the parts of the journal share one round trip.
    const [head] = await Promise.all([
      events.length === 0
        ? null
        : appendChanges(
            session,
            events.map((draft) => ({ draft, at })),
          ),
      entries.length > 0 &&
        appendEntries(
          session,
          entries.map((draft) => ({ draft, at })),
        ),
      exchanges.length > 0 && appendMessages(session, exchanges, { ids, beside: false }),
    ]);
    return head;
  };
