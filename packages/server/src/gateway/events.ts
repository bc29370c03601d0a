import { setTimeout as pause } from 'node:timers/promises';
import type { Caller } from '#domain/caller';
import { UnreadableEvent } from '#domain/event';
import type { Store } from '#store/store';
import type { EventFilter, EventQuestion } from './events-filter.ts';
import { type Frame, positionFrame, type ResetReason, resetFrame } from './events-frames.ts';
import { createLag } from './events-lag.ts';
import { createPages, type EventPage, PAGE } from './events-pages.ts';
import { createSelection, type Piece } from './events-pieces.ts';

// Each write is a system call per follower, so events that follow closely are sent together.
const GATHER_MS = 20;

/** The output of one follower. */
export interface Sink {
  /** Writes all in one call. Followers with the same events get the same list. */
  readonly write: (frames: readonly Frame[]) => void;
  /** Whether the listener has so much unread that nothing more may be written. */
  readonly isFull: () => boolean;
  /** Resolves when there is room again, and when the follower has gone. */
  readonly drained: () => Promise<void>;
}

/** A follower of events. */
export interface Listening {
  readonly start: (sink: Sink) => void;
  readonly stop: () => void;
  /** Uses this caller from now on: new and withdrawn grants count. */
  readonly hearAs: (caller: Caller) => void;
  /** Writes the current number, unless the last written event has it. */
  readonly mark: () => void;
}

export interface Events {
  /** Throws the caller's error. Every event that is committed after this resolves is delivered. */
  readonly listen: (caller: Caller, question: EventQuestion) => Promise<Listening>;
  readonly listeners: () => number;
  /** How many events the slowest follower has not got yet. */
  readonly backlog: () => number;
  /** How long a change takes until followers hear of it, in milliseconds: the median of the latest. Null before the first. */
  readonly lag: () => number | null;
}

interface Listener {
  readonly filter: EventFilter;
  readonly sink: Sink;
  caller: Caller;
  /** The last event that was considered for it. */
  position: number;
  /** The number of the last event that was written to it. */
  written: number;
  /** Reads by itself, at its own pace, until it has caught up. */
  isBehind: boolean;
}

interface Needs extends Pick<Store, 'reads' | 'watch'> {
  readonly clock: () => number;
  /** Called when an event could not be sent. */
  readonly report: (error: unknown) => void;
}

/** Sends events to followers: one reader for all that are up to date, and one for each that is behind. */
export function createEvents({ reads: { events }, watch, clock, report }: Needs): Events {
  const pageAfter = createPages(events, report);
  const listeners = new Set<Listener>();
  const lag = createLag();
  let position = 0;
  let stopWatching = (): void => {};
  let isReading = false;
  let isWoken = false;

  function write(listener: Listener, frames: readonly Frame[], seq: number): void {
    listener.sink.write(frames);
    listener.position = seq;
    listener.written = seq;
  }

  const reset = (listener: Listener, reason: ResetReason, head: number): void =>
    write(listener, [resetFrame(reason, head)], head);

  /** Writes the part of a page for which there is room. */
  function tell(listener: Listener, pieces: readonly Piece[], last: number): void {
    for (const piece of pieces) {
      if (listener.sink.isFull()) return;
      write(listener, piece.frames, piece.last);
    }
    listener.position = Math.max(listener.position, last);
  }

  /** Sends the events after a number to every follower that has come to it. */
  function tellerOf(page: EventPage, from: number): (listener: Listener) => void {
    if (page instanceof UnreadableEvent) return (listener) => reset(listener, 'unreadable', page.seq);
    // Numbers have no gaps: a missing event was deleted when its time was over.
    if (page[0]?.seq !== from + 1) return (listener) => reset(listener, 'expired', position);
    const selection = createSelection(page);
    const last = page.at(-1)?.seq ?? from;
    return (listener) => tell(listener, selection(listener), last);
  }

  /** A failed delivery to one follower must not stop the others, nor that follower's later events. */
  function attempt(listener: Listener, teller: (listener: Listener) => void): void {
    if (listener.sink.isFull()) return;
    try {
      teller(listener);
    } catch (error) {
      report(error);
      reset(listener, 'unreadable', position);
    }
  }

  async function catchUp(listener: Listener): Promise<void> {
    const isNeeded = (): boolean => listeners.has(listener);
    listener.isBehind = true;
    try {
      while (isNeeded() && (listener.position < position || listener.sink.isFull())) {
        await listener.sink.drained();
        const from = listener.position;
        if (from >= position) continue;
        const page = await pageAfter(from, isNeeded);
        if (isNeeded()) attempt(listener, tellerOf(page, from));
      }
    } catch (error) {
      report(error);
    } finally {
      listener.isBehind = false;
    }
  }

  function tellAll(page: EventPage, from: number): void {
    position = page instanceof UnreadableEvent ? page.seq : (page.at(-1)?.seq ?? from);
    const teller = tellerOf(page, from);
    for (const listener of listeners) {
      if (listener.isBehind || listener.position >= position) continue;
      // Skip a listener that failed to catch up: it still needs the events before this page.
      if (listener.position >= from) attempt(listener, teller);
      if (listener.position < position) void catchUp(listener);
    }
  }

  async function readAll(): Promise<void> {
    while (isWoken && listeners.size > 0) {
      isWoken = false;
      const from = position;
      const page = await pageAfter(from, () => listeners.size > 0);
      // All followers have left meanwhile, and others have come.
      if (position !== from) isWoken = true;
      else if (page instanceof UnreadableEvent || page.length > 0) {
        tellAll(page, from);
        if (!(page instanceof UnreadableEvent) && page[0] !== undefined) lag.add(clock() - page[0].at);
        // A page ends before an event that cannot be read: only an empty page is the end.
        isWoken = true;
        if (!(page instanceof UnreadableEvent) && page.length < PAGE) await pause(GATHER_MS, undefined, { ref: false });
      }
    }
  }

  async function read(): Promise<void> {
    isWoken = true;
    if (isReading) return;
    isReading = true;
    try {
      await readAll();
    } catch (error) {
      report(error);
    } finally {
      isReading = false;
    }
  }

  function add(listener: Listener, head: number): void {
    if (listeners.size === 0) {
      position = head;
      stopWatching = watch(() => void read());
    }
    listeners.add(listener);
    void catchUp(listener);
    // Events may have been committed after the number was read and before watching began.
    void read();
  }

  return {
    listeners: () => listeners.size,
    backlog: () => [...listeners].reduce((most, listener) => Math.max(most, position - listener.position), 0),

    lag: lag.median,

    listen: async (caller, { filter, after }) => {
      if (caller.fault !== null) throw caller.fault;
      const head = await events.head();
      const from = after === null || after > head ? head : after;
      let listener: Listener | null = null;

      return {
        start: (sink) => {
          listener = { caller, filter, sink, position: from, written: from, isBehind: false };
          if (after !== null && after > head) reset(listener, 'unknown', head);
          else write(listener, [positionFrame(from)], from);
          add(listener, head);
        },
        stop: () => {
          if (listener === null || !listeners.delete(listener)) return;
          if (listeners.size === 0) stopWatching();
        },
        hearAs: (now) => {
          if (listener !== null) listener.caller = now;
        },
        mark: () => {
          if (listener === null || listener.sink.isFull() || listener.written === listener.position) return;
          write(listener, [positionFrame(listener.position)], listener.position);
        },
      };
    },
  };
}
