export type Beat = 'second' | 'minute';

export interface Timers {
  now(): number;
  every(milliseconds: number, run: () => void): unknown;
  stop(timer: unknown): void;
}

/** Minutes are looked at four times each, so that an age is at most 15 s behind. */
const LENGTH: Readonly<Record<Beat, number>> = { second: 1_000, minute: 15_000 };

/** One clock for every time on the page: a timer for each would wake a board of 2,000 cards 2,000 times a second. */
export class Clock {
  readonly #timers: Timers;
  readonly #listeners: Record<Beat, Set<() => void>> = { second: new Set(), minute: new Set() };
  readonly #running = new Map<Beat, unknown>();
  #now: number;

  constructor(timers: Timers) {
    this.#timers = timers;
    this.#now = timers.now();
  }

  /** The time of the last beat: the same for all who ask between two beats. */
  now(): number {
    if (this.#running.size === 0) {
      this.#now = this.#timers.now();
    }
    return this.#now;
  }

  /** Calls the listener on every beat until the returned function is called. The timer runs while somebody listens. */
  listen(beat: Beat, listener: () => void): () => void {
    const listeners = this.#listeners[beat];
    listeners.add(listener);
    if (!this.#running.has(beat)) {
      this.#now = this.#timers.now();
      this.#running.set(
        beat,
        this.#timers.every(LENGTH[beat], () => this.#beat(beat)),
      );
    }
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#running.has(beat)) {
        this.#timers.stop(this.#running.get(beat));
        this.#running.delete(beat);
      }
    };
  }

  #beat(beat: Beat): void {
    this.#now = this.#timers.now();
    for (const listener of [...this.#listeners[beat]]) {
      listener();
    }
  }
}
