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

/** Ended tasks that a column begins with: the newest are looked at, and these fill a screen. */
const FIRST_ENDED = 11;

export const isLong = ({ cards }: Pick<Column, 'cards'>): boolean => cards.length >= MIN_VIRTUAL;

/** How many cards of a column are shown until a person asks for more. */
export const firstOf = ({ group, cards }: Pick<Column, 'group' | 'cards'>): number =>
  group === 'completed' ? Math.min(FIRST_ENDED, cards.length) : cards.length;

const rowsOf = (cards: readonly Card[]): readonly ColumnItem[] =>
  cards.map((card, at) => ({
    kind: 'row',
    id: card.task_id,
    card,
    isFirst: at === 0,
    isLast: at === cards.length - 1,
  }));

/**
 * The items of the first cards of a column: heads of groups, cards, and for completed tasks one-line rows. A head counts all
 * cards of its group.
 */
export function itemsOf(column: Column, now: number, most = column.cards.length): readonly ColumnItem[] {
  const isDone = column.group === 'completed';
  let left = most;
  return groupsOf(column, now).flatMap(({ name, cards }): readonly ColumnItem[] => {
    const shown = cards.slice(0, left);
    left -= shown.length;
    if (shown.length === 0) return [];
    return [
      ...(name === null ? [] : [{ kind: 'head', id: `head-${name}`, name, count: cards.length } as const]),
      ...(!isDone
        ? shown.map((card) => ({ kind: 'card', id: card.task_id, card }) as const)
        : most >= MIN_VIRTUAL
          ? rowsOf(shown)
          : [{ kind: 'stack', id: `stack-${name}`, cards: shown } as const]),
    ];
  });
}
