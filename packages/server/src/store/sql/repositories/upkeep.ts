import { countReads, countWrites } from '#store/sql/repositories/kept-counts';
import { shelfReads, shelfWrites } from '#store/sql/repositories/search-shelves';
import type { Session, WriteSession } from '#store/sql/session';
import type { Reads, Transaction } from '#store/store';

export const upkeepReads = (session: Session): Reads['upkeep'] => ({ ...countReads(session), ...shelfReads(session) });

export const upkeepWrites = (session: WriteSession): Transaction['upkeep'] => ({
  ...upkeepReads(session),
  ...countWrites(session),
  ...shelfWrites(session),
});
