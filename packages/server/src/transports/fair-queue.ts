import { ErrandError } from '#errors';

/** After this long, connections are read again before the next request is processed. */
const SLICE_MS = 10;

/** The least cost of a turn: work that waits for the database is hardly measured. */
const MIN_COST_MS = 0.02;

interface Waiting {
  readonly since: number;
  readonly go: () => void;
  readonly refuse: (error: ErrandError) => void;
}

/** The requests of one holder, in order of arrival. */
interface Line {
  /** Milliseconds of CPU that the holder has used while others waited. */
  spent: number;
  readonly waiting: Waiting[];
}

export interface FairQueue {
  /** Resolves when it is the holder's turn; rejects with `rate_limited` when that takes too long. */
  readonly take: (holder: string) => Promise<void>;
}

export interface FairQueueOptions {
  readonly max_wait_ms: number;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
}

const DONE = Promise.resolve();

const tooLong = (): ErrandError =>
  new ErrandError('rate_limited', 'Other requests of this caller keep the server busy. Send fewer at once.', {
    retry_after_ms: 1_000,
  });

/**
 * Shares the CPU: the next turn goes to the holder that has used the least of it, so an expensive caller delays only
 * itself.
 */
export function createFairQueue({ max_wait_ms, now = () => performance.now() }: FairQueueOptions): FairQueue {
  let lines = new Map<string, Line>();
  let floor = 0;
  let slice_began = 0;
  let isRunning = false;
  let round_began: number | null = null;

  /** Whether connections were read a short while ago. Most requests need no turn: nobody waits, and little was done since. */
  function isIdle(): boolean {
    if (isRunning) return false;
    if (round_began !== null) return now() - round_began < SLICE_MS;
    round_began = now();
    setImmediate(() => {
      round_began = null;
    });
    return true;
  }

  function leastSpent(): Line | undefined {
    let least: Line | undefined;
    for (const line of lines.values()) {
      if (line.waiting.length > 0 && (least === undefined || line.spent < least.spent)) least = line;
    }
    return least;
  }

  function nextTurn(): { line: Line; turn: Waiting } | undefined {
    for (;;) {
      const line = leastSpent();
      const turn = line?.waiting.shift();
      if (line === undefined || turn === undefined) return undefined;
      if (now() - turn.since <= max_wait_ms) return { line, turn };
      turn.refuse(tooLong());
    }
  }

  function serveNext(): void {
    const next = nextTurn();
    if (next === undefined) {
      isRunning = false;
      // Not `clear`: the garbage collector would keep the lines of all turns before the last full collection.
      if (lines.size > 0) lines = new Map();
      return;
    }
    const { line, turn } = next;
    const started = now();
    floor = line.spent;
    turn.go();
    // `nextTick` in a microtask runs after all microtasks, and so after everything that the request did synchronously.
    queueMicrotask(() => process.nextTick(account, line, started));
  }

  function account(line: Line, started: number): void {
    const ended = now();
    line.spent += Math.max(ended - started, MIN_COST_MS);
    if (ended - slice_began < SLICE_MS) serveNext();
    else startSlice();
  }

  function startSlice(): void {
    setImmediate(() => {
      slice_began = now();
      serveNext();
    });
  }

  return {
    take: (holder) => {
      if (isIdle()) return DONE;
      return new Promise((go, refuse) => {
        const line = lines.get(holder) ?? { spent: floor, waiting: [] };
        // A holder that was away has no credit for that time.
        if (line.waiting.length === 0) line.spent = Math.max(line.spent, floor);
        line.waiting.push({ since: now(), go, refuse });
        lines.set(holder, line);
        if (isRunning) return;
        isRunning = true;
        startSlice();
      });
    },
  };
}
