import { z } from 'zod';
import { isOver, type Run, type Step } from '#domain/run';
import type { Reads } from '#store/store';

export interface Progress {
  /** The running step that began last; null for none. */
  readonly current: Step | null;
  readonly done: number;
  readonly total: number;
}

const Plan = z.array(z.object({ status: z.string() }));

/** How many of the newest steps are read: an older step that is still open was forgotten by its agent. */
const MAX_LOOKED_AT = 200;

/** The newest steps of a run, at most `most`, in order. */
export const latestSteps = (tx: Reads, run: Run, most: number): Promise<readonly Step[]> =>
  tx.runs.steps(run, { after: Math.max(0, run.step_count - most), limit: most });

/** Entries of the plan that are no steps yet. */
const pendingIn = (plan: string | null): number =>
  plan === null ? 0 : Plan.parse(JSON.parse(plan)).filter(({ status }) => status === 'pending').length;

/** The progress of a run, by its steps and what it still plans. */
export async function progressOf(tx: Reads, run: Run): Promise<Progress> {
  const steps = await latestSteps(tx, run, MAX_LOOKED_AT);
  const running = steps.filter(({ status }) => status === 'running');
  const reported = run.step_count;
  const total = reported + (isOver(run.status) ? 0 : pendingIn(run.plan));
  return { current: running.at(-1) ?? null, done: reported - running.length, total };
}
