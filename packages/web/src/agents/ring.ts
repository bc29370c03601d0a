import type { Run } from '../api/runs.ts';
import type { LeaseState } from '../ui/ring-shape.ts';

type Shown = Pick<Run, 'questions' | 'liveness'>;

/**
 * How the ring round an agent at work looks (running, waiting, stalled, quiet), and what it says. An open question wins
 * over stalled and quiet.
 */
export function ringOf(
  { questions, liveness }: Shown,
  name: string,
): { readonly state: LeaseState; readonly label: string } {
  if (questions > 0) return { state: 'waiting', label: `${name} waits for you` };
  if (liveness === 'stalled') return { state: 'stalled', label: `${name} has stalled` };
  return liveness === 'quiet'
    ? { state: 'quiet', label: `${name} is quiet` }
    : { state: 'claimed', label: `${name} works` };
}
