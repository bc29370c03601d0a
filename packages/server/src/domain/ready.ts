import type { BoardRow } from './attempt.ts';

/** The reason why a task cannot be started; null when it can. */
export type Hindrance = 'blocked' | 'claimed' | 'in_progress' | 'over';

/**
 * Lists, claims and starts use this rule. `open_blockers` are the blockers that are not completed; the query of the
 * board counts them. A cancelled one is among them: the work that other tasks wait for is still not done.
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

/** True when a task can be started now: nothing blocks it and nobody has started it. */
export const isReady = (row: Parameters<typeof hindranceOf>[0], now: number): boolean =>
  row.state_group !== 'started' && hindranceOf(row, now) === null;
