import type { NewId } from '#domain/ids';
import type { JournalDrafts } from '#store/sql/journal';
import { leave, placeNow } from '#store/sql/repositories/outbox';
import type { WriteSession } from '#store/sql/session';
import { appendMessages } from '#store/sql/write-messages';

/** What became of the entries and events of a group. */
export interface JournalOutcome {
  /** Whether they were left, to get their order after the commit. */
  readonly hasLeft: boolean;
  /** The number of the last event that the commit numbers; null when it numbers none. */
  readonly head: number | null;
}

const NOTHING: JournalOutcome = { hasLeft: false, head: null };

async function placeOrLeave(session: WriteSession, { entries, events }: JournalDrafts): Promise<JournalOutcome> {
  if (entries.length + events.length === 0) return NOTHING;
  const placed = await placeNow(session, { entries, events });
  if (placed !== null) return { hasLeft: false, head: placed.head };
  await leave(session, { entries, events });
  return { hasLeft: true, head: null };
}

/**
 * For a writer beside others: messages are written; audit entries and events get their order in the commit if no other
 * writer gives one at this moment, and are left to get it afterwards otherwise.
 */
export const createLeaveJournal =
  (ids: NewId) =>
  async (session: WriteSession, drafts: JournalDrafts): Promise<JournalOutcome> => {
    const [placed] = await Promise.all([
      placeOrLeave(session, drafts),
      drafts.exchanges.length > 0 && appendMessages(session, drafts.exchanges, { ids, beside: true }),
    ]);
    return placed;
  };
