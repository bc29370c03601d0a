import type { NewId } from '#domain/ids';
import type { Said } from '#store/sql/journal';
import { leave } from '#store/sql/repositories/outbox';
import type { WriteSession } from '#store/sql/session';
import { appendMessages } from '#store/sql/write-messages';

/** For a writer beside others: messages are written, audit entries and events are left to get their order after the commit. */
export const createLeaveJournal =
  (ids: NewId) =>
  async (session: WriteSession, { entries, events, exchanges }: Said): Promise<boolean> => {
    const hasLeft = entries.length + events.length > 0;
    await Promise.all([
      hasLeft && leave(session, { entries, events }),
      exchanges.length > 0 && appendMessages(session, exchanges, { ids, beside: true }),
    ]);
    return hasLeft;
  };
