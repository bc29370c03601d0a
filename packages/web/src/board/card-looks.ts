import type { Card } from '../api/board.ts';
import type { StepLook } from '../text/words.ts';
import type { LeaseState } from '../ui/ring-shape.ts';
import type { StepCounts } from '../ui/step-segments.ts';

/** The steps of a card as its bar draws them: the current one waits, is quiet, or runs. */
export function barOf({ run, question }: Card): readonly StepLook[] | StepCounts | null {
  if (run === null || run.steps.total === 0) return null;
  const { statuses, done, total, failed, skipped, running } = run.steps;
  // A stalled run waits for a person, who decides whether it goes on.
  const waits = question !== null || (run.status === 'running' && run.liveness === 'stalled');
  const current: StepLook = waits ? 'waiting' : run.liveness === 'live' ? 'running' : 'quiet';
  if (statuses.length > 0) return statuses.map((status) => (status === 'running' ? current : status));
  return { completed: done - failed - skipped, failed, skipped, [current]: running, planned: total - done - running };
}

/** How the ring round the agent looks; null when nobody works on the task. */
export function leaseOf({ claim, run, question }: Card, now: number): LeaseState | null {
  const runs = run?.status === 'running';
  if (question !== null && (runs || claim !== null)) return 'waiting';
  if (runs) return run.liveness === 'live' ? 'claimed' : run.liveness;
  if (claim === null) return null;
  return Date.parse(claim.expires_at) > now ? 'claimed' : null;
}

/** Who works on the task, or did last: an agent or the executor that was started. */
export function workerOf({ claim, run, attempt }: Card): { readonly id: string; readonly name: string } | null {
  if (claim !== null && claim.agent_id !== null) return { id: claim.agent_id, name: claim.name };
  if (run !== null && run.agent !== null) return run.agent;
  return attempt?.executor ? { id: attempt.executor, name: attempt.executor } : null;
}

/** An agent waits for an answer: such cards come first in their column. */
export const isAsked = ({ question }: Card): boolean => question !== null;

/** A card needs you while the inbox has it. */
export const needsYou = ({ needs }: Card): boolean => needs !== null;

/** Its attempt has ended, and nobody has read what it did. */
export const isToRead = ({ needs }: Card): boolean => needs === 'review';

export const hasFailed = ({ attempt }: Card): boolean => attempt?.state === 'failed';

export const hasStalled = ({ run }: Card): boolean => run?.status === 'running' && run.liveness === 'stalled';
