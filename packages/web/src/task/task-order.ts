import type { Board } from '../api/board.ts';
import { groupsOf } from '../board/groups.ts';

export interface TaskOrder {
  /** From 1. */
  readonly at: number;
  readonly of: number;
  readonly before: string | null;
  readonly after: string | null;
}

/**
 * Where a task stands in its column, as the board shows it: its number, how many there are, the ones before and after.
 */
export function orderOf(board: Board | undefined, name: string, now: number): TaskOrder | null {
  for (const column of board?.columns ?? []) {
    const cards = groupsOf(column, now).flatMap((group) => group.cards);
    const at = cards.findIndex(({ key, task_id }) => key === name || task_id === name);
    if (at === -1) continue;
    const nameOf = (index: number): string | null => cards[index]?.key ?? cards[index]?.task_id ?? null;
    return { at: at + 1, of: column.count, before: nameOf(at - 1), after: nameOf(at + 1) };
  }
  return null;
}
