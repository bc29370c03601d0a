import type { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { type Change, shownBy } from './change.ts';
import { followChanges, type LiveState } from './live.ts';
import { createCardRefresher } from './live-cards.ts';
import { createRefresher } from './refresh.ts';

/** A cut this short is not worth a word. */
const SHORT_CUT_MS = 2_000;
/** After this long a person reads since when nothing comes. */
const OFFLINE_MS = 30_000;
/** How long the number of missed changes is shown. */
const CAUGHT_UP_MS = 4_000;
/** A page waits this long for the stream before it reads; afterwards it reads, and reads again when the stream is there. */
const MAX_OPENING_MS = 400;

export interface Live {
  readonly state: LiveState;
  /** Since when nothing comes; null while changes do. */
  readonly cut_at: number | null;
  /** The number of changes that came after a cut, while that is news. */
  readonly caught_up: number | null;
}

let live: Live = { state: 'connecting', cut_at: null, caught_up: null };
let stop: (() => void) | null = null;
let opening: Promise<void> = Promise.resolve();
const watchers = new Set<() => void>();
const listeners = new Set<(change: Change) => void>();

function set(next: Partial<Live>): void {
  live = { ...live, ...next };
  for (const watcher of watchers) watcher();
}

/**
 * Follows the server's changes, and reads again what they concern. Resolves when the stream is open: a read after
 * that misses no change.
 */
export function openLive(client: QueryClient): Promise<void> {
  if (stop === null || live.state === 'ended') startLive(client);
  return opening;
}

/** Begins to follow the changes of the server, also a second time. */
export function startLive(client: QueryClient): void {
  stop?.();
  let isOpen = false;
  let opened = (): void => undefined;
  opening = new Promise((resolve) => {
    opened = resolve;
    setTimeout(resolve, MAX_OPENING_MS);
  });
  const refresh = createRefresher(client);
  const refreshCards = createCardRefresher(client);
  let missed = 0;
  let noticing: ReturnType<typeof setTimeout> | undefined;

  function onState(state: LiveState): void {
    if (state === 'live' && !isOpen) {
      isOpen = true;
      // A new stream begins with now: what was read before may have changed in between.
      if (client.getQueryCache().getAll().length > 0) void client.invalidateQueries();
    }
    if (state === 'live' || state === 'ended') opened();
    if (state === live.state) return;
    const was = live.cut_at;
    const isCut = state === 'reconnecting' || state === 'ended';
    set({ state, cut_at: isCut ? (was ?? Date.now()) : null });
    if (state !== 'live' || was === null) return;
    missed = 0;
    clearTimeout(noticing);
    // Missed changes come in one burst, at once after the connection is back.
    noticing = setTimeout(() => {
      if (missed > 0 && Date.now() - was > SHORT_CUT_MS) set({ caught_up: missed });
      noticing = setTimeout(() => set({ caught_up: null }), CAUGHT_UP_MS);
    }, 500);
  }

  stop = followChanges({
    onState,
    onChange: (change) => {
      missed += 1;
      refresh(shownBy(change));
      refreshCards(change);
      for (const listener of listeners) listener(change);
    },
    onReset: () => void client.invalidateQueries(),
  });
}

/** Ends the event stream, with the frame around the pages. */
export function stopLive(): void {
  stop?.();
  stop = null;
}

/** Calls a function with every change, until the returned one is called. */
export function onChange(listener: (change: Change) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

const watch = (watcher: () => void) => {
  watchers.add(watcher);
  return () => void watchers.delete(watcher);
};

export const useLive = (): Live => useSyncExternalStore(watch, () => live);

/** What the live dot says of a cut: nothing at first, then that it tries again, then since when nothing comes. */
export function cutOf({ cut_at }: Live, now: number): 'none' | 'again' | 'offline' {
  if (cut_at === null || now - cut_at < SHORT_CUT_MS) return 'none';
  return now - cut_at < OFFLINE_MS ? 'again' : 'offline';
}
