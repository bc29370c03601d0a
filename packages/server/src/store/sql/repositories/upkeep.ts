import { countReads, countWrites } from '#store/sql/repositories/kept-counts';
import { segmentReads, segmentWrites } from '#store/sql/repositories/search-segments';
import type { Session, WriteSession } from '#store/sql/session';
import type { Reads, Transaction } from '#store/store';

export const upkeepReads = (session: Session): Reads['upkeep'] => ({
  ...countReads(session),
  ...segmentReads(session),
});

export const upkeepWrites = (session: WriteSession): Transaction['upkeep'] => ({
  ...upkeepReads(session),
  ...countWrites(session),
  ...segmentWrites(session),
});
