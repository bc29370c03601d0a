import type { Card, Column } from '../api/board.ts';
import { groupsOf } from './groups.ts';

/** What stands in a column, from top to bottom. */
export type ColumnItem =
  | { readonly kind: 'head'; readonly id: string; readonly name: string; readonly count: number }
  | { readonly kind: 'card'; readonly id: string; readonly card: Card }
  /** Ended tasks stand joined: one item for each group of a short column, */
  | { readonly kind: 'stack'; readonly id: string; readonly cards: readonly Card[] }
  /** and one for each row of a long one, so that rows out of view can be left out. */
  | {
      readonly kind: 'row';
      readonly id: string;
      readonly card: Card;
      readonly isFirst: boolean;
      readonly isLast: boolean;
    };

/** From this many cards on, only those in view are drawn: a change of the filter would draw hundreds. */
const MIN_VIRTUAL = 40;

export const isLong = ({ cards }: Pick<Column, 'cards'>): boolean => cards.length >= MIN_VIRTUAL;

const rowsOf = (cards: readonly Card[]): readonly ColumnItem[] =>
  cards.map((card, at) => ({
    kind: 'row',
    id: card.task_id,
    card,
    isFirst: at === 0,
    isLast: at === cards.length - 1,
  }));

/** The items of a column: heads of groups, cards, and for completed tasks one-line rows. */
export function itemsOf(column: Column, now: number): readonly ColumnItem[] {
  const isDone = column.group === 'completed';
  return groupsOf(column, now).flatMap(({ name, cards }): readonly ColumnItem[] => [
    ...(name === null ? [] : [{ kind: 'head', id: `head-${name}`, name, count: cards.length } as const]),
    ...(!isDone
      ? cards.map((card) => ({ kind: 'card', id: card.task_id, card }) as const)
      : isLong(column)
        ? rowsOf(cards)
        : [{ kind: 'stack', id: `stack-${name}`, cards } as const]),
  ]);
}
