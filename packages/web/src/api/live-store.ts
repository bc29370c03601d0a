import type { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { type Change, shownBy } from './change.ts';
import { followChanges, type LiveState } from './live.ts';
import { createRefresher } from './refresh.ts';

/** A cut this short is not worth a word. */
const SHORT_CUT_MS = 2_000;
/** After this long a person is told since when nothing comes. */
const OFFLINE_MS = 30_000;
/** How long the number of missed changes is shown. */
const CAUGHT_UP_MS = 4_000;

export interface Live {
  readonly state: LiveState;
  /** Since when nothing comes; null while changes do. */
  readonly cut_at: number | null;
  /** The number of changes that came after a cut, while that is news. */
  readonly caught_up: number | null;
}

let live: Live = { state: 'connecting', cut_at: null, caught_up: null };
let stop: (() => void) | null = null;
const watchers = new Set<() => void>();
const listeners = new Set<(change: Change) => void>();

function set(next: Partial<Live>): void {
  live = { ...live, ...next };
  for (const watcher of watchers) watcher();
}

/** Begins to follow the server's changes, and reads again what they concern. A second call begins anew. */
export function startLive(client: QueryClient): void {
  stop?.();
  const refresh = createRefresher(client);
  let missed = 0;
  let told: ReturnType<typeof setTimeout> | undefined;

  function onState(state: LiveState): void {
    if (state === live.state) return;
    const was = live.cut_at;
    const isCut = state === 'reconnecting' || state === 'ended';
    set({ state, cut_at: isCut ? (was ?? Date.now()) : null });
    if (state !== 'live' || was === null) return;
    missed = 0;
    clearTimeout(told);
    // Missed changes come in one burst, at once after the connection is back.
    told = setTimeout(() => {
      if (missed > 0 && Date.now() - was > SHORT_CUT_MS) set({ caught_up: missed });
      told = setTimeout(() => set({ caught_up: null }), CAUGHT_UP_MS);
    }, 500);
  }

  stop = followChanges({
    onState,
    onChange: (change) => {
      missed += 1;
      refresh(shownBy(change));
      for (const listener of listeners) listener(change);
    },
    onReset: () => void client.invalidateQueries(),
  });
}

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
