import { setImmediate as nextTurn } from 'node:timers/promises';
import { isAway } from '#errors';
import { storeClosed } from './store-away.ts';

// Enough for all waiting writes to share a commit, and few enough not to block the event loop.
const MAX_WORKS = 128;
const MAX_BYTES = 4 * 1024 * 1024;

/** A write, and the function that rejects it. */
export interface Work {
  readonly bytes: number;
  readonly reject: (error: unknown) => void;
}

export interface Turn<W extends Work> {
  readonly add: (work: W) => void;
  /** Finishes the queued work. */
  readonly close: () => Promise<void>;
}

export interface TurnOptions<W extends Work> {
  /** Runs all works and settles each. When it rejects, the unsettled works are rejected with its reason. */
  readonly run: (works: readonly W[]) => Promise<void>;
  /** How many runs may be active at the same time. */
  readonly lanes: number;
}

/** Gathers all works of one turn of the event loop, and runs them together. */
export function createTurn<W extends Work>({ run, lanes }: TurnOptions<W>): Turn<W> {
  const pumping = new Set<Promise<void>>();
  let queue: W[] = [];
  let closed = false;

  function take(): readonly W[] {
    let bytes = 0;
    const end = queue.findIndex((work, i) => {
      bytes += work.bytes;
      return i === MAX_WORKS || (i > 0 && bytes > MAX_BYTES);
    });
    const works = end === -1 ? queue : queue.slice(0, end);
    queue = end === -1 ? [] : queue.slice(end);
    return works;
  }

  async function pump(): Promise<void> {
    for (await nextTurn(); queue.length > 0; await nextTurn()) {
      const works = take();
      try {
        await run(works);
      } catch (error) {
        // Queued works would fail too, because the backend is the same: without this their timeouts would add up.
        const failed = isAway(error) ? [...works, ...queue.splice(0)] : works;
        for (const work of failed) work.reject(error);
      }
    }
  }

  function start(): void {
    if (pumping.size >= lanes) return;
    const lane = pump().finally(() => pumping.delete(lane));
    pumping.add(lane);
  }

  return {
    add: (work) => {
      if (closed) return work.reject(storeClosed());
      queue.push(work);
      start();
    },
    close: async () => {
      closed = true;
      await Promise.all(pumping);
    },
  };
}
