import { isDeepStrictEqual } from 'node:util';
import { isTerminal, type TaskRecord } from '#task';
import type { Step } from './history.ts';

/** The state of one task: its record, or null when it does not exist. */
export type Register = TaskRecord | null;

type StepOf<Kind extends Step['kind']> = Extract<Step, { kind: Kind }>;

/** Returns the task after a step with this outcome; undefined when the outcome is impossible. */
export function applyStep(state: Register, step: Step): Register | undefined {
  switch (step.kind) {
    case 'insert':
      return applyInsert(state, step);
    case 'replace':
      return applyReplace(state, step);
    case 'claim':
      return applyClaim(state, step);
    case 'get':
      return seenAs(state, step.owner_id, step.outcome);
  }
}

function applyInsert(state: Register, { record, outcome }: StepOf<'insert'>): Register | undefined {
  // The quota depends on the owner's other tasks. The refusal changes nothing.
  if (outcome === 'quota_exceeded') return state;
  if (outcome === 'exists') return state === null ? undefined : state;
  return state === null ? record : undefined;
}

function applyReplace(state: Register, { record, outcome }: StepOf<'replace'>): Register | undefined {
  const wins = state !== null && state.owner_id === record.owner_id && state.version === record.version - 1;
  if (outcome === null || outcome.ok) return wins ? record : undefined;
  return wins ? undefined : seenAs(state, record.owner_id, outcome.current);
}

function applyClaim(state: Register, { claim, outcome }: StepOf<'claim'>): Register | undefined {
  if (state === null || isTerminal(state.status) || !claim.tools.includes(state.request.tool)) return undefined;
  const until = outcome?.lease?.until ?? UNKNOWN;
  const lease = { worker_id: claim.worker_id, until };
  const claimed = { ...state, version: state.version + 1, epoch: state.epoch + 1, lease };
  if (outcome === null) return claimed;
  const claimed_at = until - claim.lease_ms;
  const isHeld = state.lease !== null && state.lease.until > claimed_at;
  return isHeld || !isSame(claimed, outcome) ? undefined : outcome;
}

/** The end of a lease whose claim has no known answer. It matches any value that is seen later. */
const UNKNOWN = Number.NaN;

function seenAs(state: Register, owner_id: string, seen: Register): Register | undefined {
  const visible = state?.owner_id === owner_id ? state : null;
  if (visible === null || seen === null) return visible === seen ? state : undefined;
  return isSame(visible, seen) ? seen : undefined;
}

function isSame(state: TaskRecord, seen: TaskRecord): boolean {
  if (state.lease === null || seen.lease === null || !Number.isNaN(state.lease.until)) {
    return isDeepStrictEqual(state, seen);
  }
  return isDeepStrictEqual({ ...state, lease: { ...state.lease, until: seen.lease.until } }, seen);
}
