import type { Exchange } from '#domain/conversation';

const WITHIN_MS = 50;
const RETRY_MS = 1000;
const MAX_WAITING = 10_000;
const MAX_KEPT = 9_000;
const MAX_PER_GROUP = 500;

/** Messages of calls that only read. They join the next commit, or ask for one of their own. */
export interface Later {
  readonly add: (exchange: Exchange) => void;
  readonly take: () => readonly Exchange[];
  /** Returns the messages that could not be written, for another try. */
  readonly putBack: (exchanges: readonly Exchange[]) => void;
  readonly size: () => number;
  readonly stop: () => void;
}

export function createLater(askForGroup: () => void): Later {
  let waiting: Exchange[] = [];
  let timer: NodeJS.Timeout | undefined;

  const wake = (delay: number): void => {
    if (delay === 0) clearTimeout(timer);
    else if (timer !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      askForGroup();
    }, delay).unref();
  };

  // While the database is away, memory stays bounded: the oldest messages are dropped first.
  const trim = (): void => {
    if (waiting.length > MAX_WAITING) waiting = waiting.slice(-MAX_KEPT);
  };

  return {
    add: (exchange) => {
      waiting.push(exchange);
      trim();
      // A full group is written at once: many readers could otherwise fill the queue faster than it empties.
      wake(waiting.length === MAX_PER_GROUP ? 0 : WITHIN_MS);
    },
    take: () => {
      if (waiting.length === 0) return waiting;
      const taken = waiting.slice(0, MAX_PER_GROUP);
      waiting = waiting.slice(MAX_PER_GROUP);
      if (waiting.length > 0) wake(waiting.length >= MAX_PER_GROUP ? 0 : WITHIN_MS);
      return taken;
    },
    putBack: (exchanges) => {
      waiting = [...exchanges, ...waiting];
      trim();
      wake(RETRY_MS);
    },
    size: () => waiting.length,
    stop: () => clearTimeout(timer),
  };
}
