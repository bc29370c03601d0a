import { setTimeout as pause } from 'node:timers/promises';
import type { Caller } from '#domain/caller';
import { UnreadableEvent } from '#domain/event';
import type { Store } from '#store/store';
import type { EventFilter, EventQuestion } from './events-filter.ts';
import { type Frame, positionFrame, type ResetReason, resetFrame } from './events-frames.ts';
import { createPages, type EventPage, PAGE } from './events-pages.ts';
import { createSelection, type Piece } from './events-pieces.ts';

// A write is a system call for each listener: changes that follow closely are told together.
const GATHER_MS = 20;

/** Where the words for one listener go. */
export interface Sink {
  /** Writes them in one go. Listeners who hear the same are given the same list. */
  readonly write: (frames: readonly Frame[]) => void;
  /** Whether so much waits to be read that nothing more may be written. */
  readonly isFull: () => boolean;
  /** Resolves when there is room again, and when nobody will ever read it. */
  readonly drained: () => Promise<void>;
}

/** Someone who listens. */
export interface Listening {
  readonly start: (sink: Sink) => void;
  readonly stop: () => void;
  /** From now on as this caller: what was granted or taken away counts. */
  readonly hearAs: (caller: Caller) => void;
  /** Writes how far it has come, unless the last change that was written says it. */
  readonly mark: () => void;
}

export interface Events {
  /** Throws the caller's fault. Whatever is committed after this resolves is heard. */
  readonly listen: (caller: Caller, question: EventQuestion) => Promise<Listening>;
  readonly listeners: () => number;
  /** How many changes the slowest listener has still to hear. */
  readonly backlog: () => number;
}

interface Listener {
  readonly filter: EventFilter;
  readonly sink: Sink;
  caller: Caller;
  /** The last change that was looked at for it. */
  position: number;
  /** The last number that was written to it. */
  told: number;
  /** Reads for itself, at its own pace, until it has caught up. */
  isBehind: boolean;
}

interface Needs extends Pick<Store, 'reads' | 'watch'> {
  /** Told of what could not be told. */
  readonly report: (error: unknown) => void;
}

/** Tells listeners of changes: one reader for all who are up to date, and one for each who is not. */
export function createEvents({ reads: { events }, watch, report }: Needs): Events {
  const pageAfter = createPages(events, report);
  const listeners = new Set<Listener>();
  let position = 0;
  let stopWatching = (): void => {};
  let isReading = false;
  let isWoken = false;

  function write(listener: Listener, frames: readonly Frame[], seq: number): void {
    listener.sink.write(frames);
    listener.position = seq;
    listener.told = seq;
  }

  const reset = (listener: Listener, reason: ResetReason, head: number): void =>
    write(listener, [resetFrame(reason, head)], head);

  /** Writes as much of a page as there is room for. */
  function tell(listener: Listener, pieces: readonly Piece[], last: number): void {
    for (const piece of pieces) {
      if (listener.sink.isFull()) return;
      write(listener, piece.frames, piece.last);
    }
    listener.position = Math.max(listener.position, last);
  }

  /** How what comes after a number is told to each who has come to it. */
  function tellerOf(page: EventPage, from: number): (listener: Listener) => void {
    if (page instanceof UnreadableEvent) return (listener) => reset(listener, 'unreadable', page.seq);
    // Numbers have no gaps: what is not there was kept for its time and is gone.
    if (page[0]?.seq !== from + 1) return (listener) => reset(listener, 'expired', position);
    const selection = createSelection(page);
    const last = page.at(-1)?.seq ?? from;
    return (listener) => tell(listener, selection(listener), last);
  }

  /** What cannot be told to one must neither keep others from hearing it nor that one from what comes after. */
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
      // One for whom catching up went wrong still has to hear what came before this page.
      if (listener.position >= from) attempt(listener, teller);
      if (listener.position < position) void catchUp(listener);
    }
  }

  async function readAll(): Promise<void> {
    while (isWoken && listeners.size > 0) {
      isWoken = false;
      const from = position;
      const page = await pageAfter(from, () => listeners.size > 0);
      // All have gone meanwhile, and others have come.
      if (position !== from) isWoken = true;
      else if (page instanceof UnreadableEvent || page.length > 0) {
        tellAll(page, from);
        // A page ends before a change that cannot be read: only an empty one is the end.
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
    // Changes may have been committed since the number was asked for, before anyone watched.
    void read();
  }

  return {
    listeners: () => listeners.size,
    backlog: () => [...listeners].reduce((most, listener) => Math.max(most, position - listener.position), 0),

    listen: async (caller, { filter, after }) => {
      if (caller.fault !== null) throw caller.fault;
      const head = await events.head();
      const from = after === null || after > head ? head : after;
      let listener: Listener | null = null;

      return {
        start: (sink) => {
          listener = { caller, filter, sink, position: from, told: from, isBehind: false };
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
          if (listener === null || listener.sink.isFull() || listener.told === listener.position) return;
          write(listener, [positionFrame(listener.position)], listener.position);
        },
      };
    },
  };
}
