import { wordReads, wordWrites } from '#store/sql/repositories/frequent-words';
import { countReads, countWrites } from '#store/sql/repositories/kept-counts';
import { segmentReads, segmentWrites } from '#store/sql/repositories/search-segments';
import { countTodoBlocks, hasUncountedTodos } from '#store/sql/repositories/todo-counts';
import type { Session, WriteSession } from '#store/sql/session';
import type { Reads, Transaction } from '#store/store';

export const upkeepReads = (session: Session): Reads['upkeep'] => ({
  ...segmentReads(session),
  ...wordReads(session),
  hasUncounted: async () => (await countReads(session).hasUncounted()) || (await hasUncountedTodos(session)),
});

export const upkeepWrites = (session: WriteSession): Transaction['upkeep'] => ({
  ...upkeepReads(session),
  ...segmentWrites(session),
  ...wordWrites(session),
  count: async () => (await countWrites(session).count()) || (await countTodoBlocks(session)),
});
