import type { Run, Step } from '#domain/run';
import type { Reads } from '#store/store';

export interface Progress {
  /** The running step that began last; null for none. */
  readonly current: Step | null;
  readonly done: number;
  readonly total: number;
}

/** How many of the newest steps are read: an older step that is still open was forgotten by its agent. */
const LOOKED_AT = 200;

/** The newest steps of a run, at most so many, in order. */
export const latestSteps = (tx: Reads, run: Run, most: number): Promise<readonly Step[]> =>
  tx.runs.steps(run, { after: Math.max(0, run.step_count - most), limit: most });

/** The progress of a run, by its steps. */
export async function progressOf(tx: Reads, run: Run): Promise<Progress> {
  const steps = await latestSteps(tx, run, LOOKED_AT);
  const running = steps.filter(({ status }) => status === 'running');
  const total = run.step_count;
  return { current: running.at(-1) ?? null, done: total - running.length, total };
}
