import type { TasksOptions } from '#tasks';

/** The longest timer of Node: a longer one fires at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

function mustBeWhole(name: string, value: number | undefined, least: number): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= least && value <= MAX_TIMER_MS)) return;
  throw new RangeError(`${name} must be a whole number from ${least} to ${MAX_TIMER_MS}, and is ${value}.`);
}

/** Throws for numbers that make timers fire without pause, or with which no task would ever run. */
export function checkOptions({ poll_interval_ms, worker }: TasksOptions): void {
  mustBeWhole('poll_interval_ms', poll_interval_ms, 1);
  if (worker === false || worker === undefined) return;
  mustBeWhole('worker.concurrency', worker.concurrency, 0);
  mustBeWhole('worker.lease_ms', worker.lease_ms, 1);
  mustBeWhole('worker.max_attempts', worker.max_attempts, 1);
}
