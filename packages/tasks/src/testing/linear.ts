import type { History, Operation, Step } from './history.ts';
import { applyStep, type Register } from './register.ts';

interface SearchState {
  /** One bit per operation that has taken effect. */
  readonly done: bigint;
  /** The first operation that may not be done: all before it are. */
  readonly first: number;
  readonly state: Register;
}

/**
 * True when the operations on one task have an order that explains every answer, and in which none comes before
 * one that had returned when it was called (the search of Wing and Gong, with Lowe's cache of visited states).
 */
export function isLinearizable(operations: readonly Operation[]): boolean {
  const ordered = operations.toSorted((a, b) => a.call - b.call);
  const visited = new Set<string>();
  const pending: SearchState[] = [{ done: 0n, first: 0, state: null }];

  for (let place = pending.pop(); place; place = pending.pop()) {
    const { candidates, deadline } = nextOf(ordered, place);
    // Only operations of unknown outcome are left. They need not have happened.
    if (deadline === Number.POSITIVE_INFINITY) return true;

    for (const { step, bit, first } of candidates) {
      const state = applyStep(place.state, step);
      if (state === undefined) continue;
      const done = place.done | bit;
      const key = `${done.toString(36)} ${JSON.stringify(state)}`;
      if (visited.has(key)) continue;
      visited.add(key);
      pending.push({ done, first, state });
    }
  }
  return false;
}

interface Candidate {
  readonly step: Step;
  readonly bit: bigint;
  readonly first: number;
}

/** Returns the operations that may come next: those called before any remaining operation had returned. */
function nextOf(
  ordered: readonly Operation[],
  { done, first }: SearchState,
): { readonly candidates: readonly Candidate[]; readonly deadline: number } {
  const open: { operation: Operation; index: number; bit: bigint }[] = [];
  let deadline = Number.POSITIVE_INFINITY;
  for (let index = first; index < ordered.length; index += 1) {
    const operation = ordered[index];
    if (operation === undefined || operation.call > deadline) break;
    const bit = 1n << BigInt(index);
    if ((done & bit) !== 0n) continue;
    open.push({ operation, index, bit });
    deadline = Math.min(deadline, operation.end);
  }
  const start = open[0]?.index ?? ordered.length;
  const candidates = open
    .filter(({ operation }) => operation.call < deadline)
    .map(({ operation: { step }, bit }) => ({ step, bit, first: start }));
  return { candidates, deadline };
}

/** Returns the operations of each task that no order explains; empty when there is no violation. */
export function violationsOf({ operations }: Pick<History, 'operations'>): readonly (readonly Operation[])[] {
  return [...byTask(operations).values()].filter((ofTask) => !isLinearizable(ofTask));
}

function byTask(operations: readonly Operation[]): Map<string, readonly Operation[]> {
  const tasks = Map.groupBy(
    operations.filter(({ step }) => taskOf(step) !== null),
    ({ step }) => taskOf(step) ?? '',
  );
  // A claim that did not return may have claimed any task.
  const lostClaims = operations.filter(({ step }) => taskOf(step) === null);
  return new Map([...tasks].map(([task_id, ofTask]) => [task_id, [...ofTask, ...lostClaims]]));
}

function taskOf(step: Step): string | null {
  if (step.kind === 'get') return step.task_id;
  if (step.kind === 'claim') return step.outcome?.task_id ?? null;
  return step.record.task_id;
}
