import type { Step } from 'errand/client';

/** The steps with one that is new or has changed. Events may come late: an older state never takes a newer one's place. */
export function withStep(steps: readonly Step[], step: Step): readonly Step[] {
  const at = steps.findLastIndex(({ seq }) => seq <= step.seq);
  const there = steps[at];
  if (there?.seq !== step.seq) return steps.toSpliced(at + 1, 0, step);
  return there.updated_at > step.updated_at ? steps : steps.with(at, step);
}
