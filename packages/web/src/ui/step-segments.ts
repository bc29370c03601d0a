import type { StepLook } from '../text/words.ts';

/** How many steps there are of each kind, where their order is not known or does not matter. */
export type StepCounts = Readonly<Partial<Record<StepLook, number>>>;

export interface Segment {
  readonly look: StepLook;
  /** How many steps it stands for: its part of the width. Nothing for the current part of a long bar, which is 6 wide. */
  readonly weight: number | undefined;
}

/** More steps than this are one bar in proportion: a segment each would be thinner than its gap. */
export const MAX_SEGMENTS = 24;

const ENDED: readonly StepLook[] = ['completed', 'failed', 'skipped'];
const CURRENT: readonly StepLook[] = ['running', 'waiting', 'quiet'];
/** The order along a bar that does not follow the steps: what ended, what goes on, what is to come. */
const ORDER: readonly StepLook[] = [...ENDED, ...CURRENT, 'planned'];

export function countsOf(steps: readonly StepLook[] | StepCounts): StepCounts {
  // The casts: `Array.isArray` does not tell a readonly list from other objects.
  if (!Array.isArray(steps)) {
    return steps as StepCounts;
  }
  const counts: Partial<Record<StepLook, number>> = {};
  for (const look of steps as readonly StepLook[]) {
    counts[look] = (counts[look] ?? 0) + 1;
  }
  return counts;
}

/** Steps that ended, whatever their end, of all that are known. */
export function progressOf(steps: readonly StepLook[] | StepCounts): { readonly ended: number; readonly all: number } {
  const counts = countsOf(steps);
  return { ended: sum(counts, ENDED), all: sum(counts, ORDER) };
}

/** The segments of a step bar: one a step, or one a kind of step where there are many. */
export function segmentsOf(steps: readonly StepLook[] | StepCounts): readonly Segment[] {
  const counts = countsOf(steps);
  const { all } = progressOf(counts);
  if (all > MAX_SEGMENTS) {
    return ORDER.filter((look) => (counts[look] ?? 0) > 0).map((look) => ({
      look,
      weight: CURRENT.includes(look) ? undefined : counts[look],
    }));
  }
  // The cast: as in `countsOf`.
  const looks = Array.isArray(steps)
    ? (steps as readonly StepLook[])
    : ORDER.flatMap((look) => Array.from({ length: counts[look] ?? 0 }, () => look));
  return looks.map((look) => ({ look, weight: 1 }));
}

function sum(counts: StepCounts, looks: readonly StepLook[]): number {
  return looks.reduce((total, look) => total + Math.max(0, counts[look] ?? 0), 0);
}
