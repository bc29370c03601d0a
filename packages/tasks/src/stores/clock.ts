const READ_AGAIN_MS = 30_000;
const JUMP_MS = 1_000;
const FIRST_READS = 3;

export interface StoreClock {
  /** Returns whole epoch milliseconds, never less than before. */
  readonly now: () => number;
  readonly close: () => void;
}

/** The distance of the wall clock from the monotonic one. It changes when the clock is set or the machine has slept. */
const wallOffset = (): number => Date.now() - performance.now();

/** Creates the store's clock. It is read from time to time; in between, this process's monotonic clock continues it. */
export async function createStoreClock(read: () => Promise<number>): Promise<StoreClock> {
  let offset = 0;
  let uncertainty = Number.POSITIVE_INFINITY;
  let wall = wallOffset();
  let reading = false;
  let last = 0;

  // The store read its clock at some time between the query and the answer. An offset that is still possible is kept.
  async function measure(): Promise<void> {
    const asked_at = performance.now();
    const value = await read();
    const answered_at = performance.now();
    const isPossible = offset >= value - answered_at && offset <= value + 1 - asked_at;
    if (isPossible && answered_at - asked_at >= uncertainty) return;
    offset = value - (asked_at + answered_at) / 2;
    uncertainty = answered_at - asked_at;
  }

  async function readAgain(): Promise<void> {
    if (reading) return;
    reading = true;
    try {
      await measure();
      wall = wallOffset();
    } catch {
      // The store is unavailable. Its users get the error; the clock continues.
    } finally {
      reading = false;
    }
  }

  for (let i = 0; i < FIRST_READS; i++) await measure();
  const timer = setInterval(() => void readAgain(), READ_AGAIN_MS);
  timer.unref();

  return {
    now: () => {
      if (Math.abs(wallOffset() - wall) > JUMP_MS) void readAgain();
      last = Math.max(last, Math.floor(performance.now() + offset));
      return last;
    },
    close: () => clearInterval(timer),
  };
}

export interface LocalClock {
  readonly now: () => number;
  /** Moves the clock forward to `now` when it is behind another process that shares the store. */
  readonly catchUp: (now: number) => void;
}

/** Creates a clock for stores on this machine. It does not go back when the machine's clock is set back. */
export function createLocalClock(read?: () => number): LocalClock {
  const ticks = read ?? (() => performance.now());
  let offset = read === undefined ? wallOffset() : 0;
  let last = 0;

  const catchUp = (now: number): void => {
    const behind = now - Math.floor(ticks() + offset);
    if (behind > 0) offset += behind;
  };

  return {
    now: () => {
      if (read === undefined && wallOffset() - offset > JUMP_MS) catchUp(Date.now());
      last = Math.max(last, Math.floor(ticks() + offset));
      return last;
    },
    catchUp,
  };
}
