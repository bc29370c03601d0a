const MIN_MS = 50;
const MAX_MS = 1_000;

export interface Backoff {
  readonly grow: () => void;
  readonly reset: () => void;
  /** Returns the milliseconds until the next attempt. */
  readonly left: () => number;
}

/** Creates pauses that grow with each failed attempt, with a random part that differs between processes. */
export function createBackoff(): Backoff {
  let pause = 0;
  let due = 0;

  return {
    grow: () => {
      pause = Math.min(Math.max(pause * 2, MIN_MS), MAX_MS);
      due = performance.now() + pause * (0.5 + Math.random() / 2);
    },
    reset: () => {
      pause = 0;
      due = 0;
    },
    left: () => Math.max(0, due - performance.now()),
  };
}
