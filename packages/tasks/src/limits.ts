import { TaskError } from './errors.ts';

export interface TaskLimits {
  /** Unfinished tasks of one owner. */
  readonly max_tasks_per_owner: number;
  /** Finished tasks of one owner. When there are more, the oldest are removed before they expire. */
  readonly max_finished_per_owner: number;
  /** The longest TTL of a task; null allows a task that never expires. */
  readonly max_ttl_ms: number | null;
  /** The TTL of a task whose requestor did not ask for one. */
  readonly default_ttl_ms: number | null;
  /** True when a requestor that is known only by its session may have tasks. */
  readonly allow_anonymous: boolean;
  /** The largest arguments of a task, in bytes of JSON. */
  readonly max_arguments_bytes: number;
  readonly max_variables_bytes: number;
  readonly max_variables_depth: number;
  /** The largest result of a task, in bytes of JSON. */
  readonly max_result_bytes: number;
  /** The most questions that one task may ask. */
  readonly max_inputs: number;
}

const HOUR_MS = 3_600_000;

export const DEFAULT_LIMITS: TaskLimits = {
  max_tasks_per_owner: 100,
  max_finished_per_owner: 1_000,
  max_ttl_ms: 24 * HOUR_MS,
  default_ttl_ms: HOUR_MS,
  allow_anonymous: false,
  max_arguments_bytes: 262_144,
  max_variables_bytes: 65_536,
  max_variables_depth: 16,
  max_result_bytes: 262_144,
  max_inputs: 64,
};

/** The shortest TTL: a client must be able to get the task at least once. */
const MIN_TTL_MS = 1_000;

/** A hundred years: with much larger times the stores' arithmetic fails. */
const MAX_TTL_MS = 100 * 365 * 24 * HOUR_MS;

/** Returns the TTL that a task gets. The requestor sees this value. */
export function grantTtl(requested: number | null | undefined, limits: TaskLimits): number | null {
  const { max_ttl_ms, default_ttl_ms } = limits;
  if (requested !== undefined && requested !== null && !(Number.isSafeInteger(requested) && requested >= 0)) {
    throw new TaskError('invalid_params', 'ttl must be a whole number of milliseconds, 0 or more.');
  }
  const wanted = requested === undefined ? default_ttl_ms : requested;
  const granted = wanted === null ? max_ttl_ms : Math.min(wanted, max_ttl_ms ?? wanted);
  return granted === null ? null : Math.min(Math.max(granted, MIN_TTL_MS), MAX_TTL_MS);
}
