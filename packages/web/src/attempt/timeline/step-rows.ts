import type { Step } from 'errand/client';
import type { Run } from '../../api/attempts.ts';
import type { StepLook } from '../../text/words.ts';

/** A line of the timeline: a step, or an entry of the plan that has no step yet. */
export interface StepRow {
  /** Its place, from 1. */
  readonly seq: number;
  readonly name: string;
  readonly look: StepLook;
  readonly step: Step | null;
}

interface PlanEntry {
  readonly content: string;
  readonly status: 'pending' | 'running' | 'completed';
}

/** How the current step of a run looks. */
export function currentLook(liveness: Run['liveness'], isAsking: boolean): StepLook {
  if (isAsking) return 'waiting';
  return liveness === 'quiet' || liveness === 'stalled' ? 'quiet' : 'running';
}

/** The steps in order, then what the plan still holds while the run goes on. */
export function rowsOf(
  steps: readonly Step[],
  plan: readonly PlanEntry[],
  running: { readonly look: StepLook } | null,
): readonly StepRow[] {
  const rows = steps.map((step) => ({
    seq: step.seq,
    name: step.step_name,
    look: step.status === 'running' ? (running?.look ?? 'quiet') : step.status,
    step,
  }));
  if (running === null) return rows;
  const begun = new Set(steps.map(({ step_name }) => step_name));
  const last = rows.at(-1)?.seq ?? 0;
  const planned = plan.filter(({ status, content }) => status === 'pending' && !begun.has(content));
  return [
    ...rows,
    ...planned.map(({ content }, at) => ({ seq: last + 1 + at, name: content, look: 'planned' as const, step: null })),
  ];
}

/** The newest step: the last that runs, or else the last. */
export const newestOf = (steps: readonly Step[]): Step | null =>
  steps.findLast(({ status }) => status === 'running') ?? steps.at(-1) ?? null;
