import type { Card, Column } from '../api/board.ts';
import { groupsOf } from './groups.ts';

/** What stands in a column, from top to bottom. */
export type ColumnItem =
  | { readonly kind: 'head'; readonly id: string; readonly name: string; readonly count: number }
  | { readonly kind: 'card'; readonly id: string; readonly card: Card }
  /** Ended tasks stand joined: one item for each group. */
  | { readonly kind: 'stack'; readonly id: string; readonly cards: readonly Card[] };

/** A stack is drawn in pieces, so that a long one can be left out where it is not seen. */
const MAX_STACK = 50;

function stacksOf(name: string, cards: readonly Card[]): readonly ColumnItem[] {
  const pieces = Math.ceil(cards.length / MAX_STACK);
  return Array.from({ length: pieces }, (_, at) => ({
    kind: 'stack',
    id: `${name}-${at}`,
    cards: cards.slice(at * MAX_STACK, (at + 1) * MAX_STACK),
  }));
}

export function itemsOf(column: Column, now: number): readonly ColumnItem[] {
  const isDone = column.group === 'completed';
  return groupsOf(column, now).flatMap(({ name, cards }) => [
    ...(name === null ? [] : [{ kind: 'head', id: `head-${name}`, name, count: cards.length } as const]),
    ...(isDone
      ? stacksOf(name ?? '', cards)
      : cards.map((card) => ({ kind: 'card', id: card.task_id, card }) as const)),
  ]);
}
