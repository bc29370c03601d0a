import { type Board, type Card, type Column, isAfter, positionIn } from './board.ts';

const isAsked = ({ question }: Card): boolean => question !== null;

/** Whether a card stands after another: cards that wait for an answer come first. */
function standsAfter(column: Column, one: Card, other: Card): boolean {
  if (isAsked(one) !== isAsked(other)) return isAsked(other);
  if (isAsked(one)) return one.task_id > other.task_id;
  return isAfter(column, positionIn(column, one), positionIn(column, other));
}

/** Whether a card belongs to the part of the column that was read. */
const isRead = (column: Column, card: Card): boolean =>
  column.next_cursor === undefined ||
  isAsked(card) ||
  (column.end !== undefined && !isAfter(column, positionIn(column, card), column.end));

function put(column: Column, card: Card): Column {
  if (!isRead(column, card)) return column;
  const at = column.cards.findIndex((each) => standsAfter(column, each, card));
  return { ...column, cards: at === -1 ? [...column.cards, card] : column.cards.toSpliced(at, 0, card) };
}

/**
 * The board with cards as they are now. `said` has the changed cards in their columns and the counts of all columns;
 * a task in `asked` that it lacks is gone. Null when the columns themselves are others than before.
 */
export function withCards(board: Board, said: Board, asked: readonly string[]): Board | null {
  const now = new Map(said.columns.map((column) => [column.status, column]));
  if (said.columns.length !== board.columns.length || !board.columns.every(({ status }) => now.has(status)))
    return null;
  const changed = new Set([...asked, ...said.columns.flatMap(({ cards }) => cards.map(({ task_id }) => task_id))]);
  return {
    ...board,
    columns: board.columns.map((column): Column => {
      const { count = column.count, cards = [] } = now.get(column.status) ?? {};
      const others = column.cards.filter(({ task_id }) => !changed.has(task_id));
      const isSame = others.length === column.cards.length && cards.length === 0;
      if (isSame) return count === column.count ? column : { ...column, count };
      return cards.reduce(put, { ...column, count, cards: others });
    }),
  };
}
