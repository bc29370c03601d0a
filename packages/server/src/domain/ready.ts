import type { BoardRow } from './attempt.ts';

/** What keeps an item from being begun; null when nothing does. */
export type Hindrance = 'blocked' | 'claimed' | 'in_progress' | 'over';

/**
 * The one rule for listing, claiming and starting. A blocker counts as out of the way when it is completed: one that was
 * cancelled leaves undone what others wait for.
 */
export function hindranceOf(
  row: Pick<BoardRow, 'state_group' | 'open_blockers' | 'claimed_until' | 'has_in_progress_attempt'>,
  now: number,
): Hindrance | null {
  if (row.state_group === 'completed' || row.state_group === 'cancelled') return 'over';
  if (row.open_blockers > 0) return 'blocked';
  if (row.claimed_until !== null && row.claimed_until > now) return 'claimed';
  return row.has_in_progress_attempt ? 'in_progress' : null;
}

/** Whether someone could begin it now: nothing is in the way, and nobody has begun. */
export const isReady = (row: Parameters<typeof hindranceOf>[0], now: number): boolean =>
  row.state_group !== 'started' && hindranceOf(row, now) === null;
