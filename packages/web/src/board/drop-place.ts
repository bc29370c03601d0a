import type { Card } from '../api/board.ts';

/** Between which cards something is dropped. Those that are not drawn cannot be among them. */
export interface Spot {
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/**
 * The place among the other cards of a column. Cards are drawn in groups, and of a long column only some: what is seen
 * above and below says where it is.
 */
export function dropIndex({ before, after }: Spot, cards: readonly Card[], dragged: Pick<Card, 'task_id'>): number {
  const others = cards.filter(({ task_id }) => task_id !== dragged.task_id).map(({ task_id }) => task_id);
  if (after !== undefined && others.includes(after)) return others.indexOf(after);
  return before === undefined ? 0 : others.indexOf(before) + 1;
}
