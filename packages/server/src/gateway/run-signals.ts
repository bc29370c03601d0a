import { setTimeout as pause } from 'node:timers/promises';
import type { Event } from '#domain/event';
import type { Store } from '#store/store';

const BATCH = 500;

interface Listener {
  /** Of attempts, or of questions. */
  readonly ids: readonly string[];
  changed: PromiseWithResolvers<void>;
}

/** A change of rights may end what any listener may see, so all of them look again. */
const isForAll = ({ audience }: Event): boolean => audience.scope === 'admin';

/** Wakes the followers of an attempt when it changes, in whichever process. The events are read once for all followers. */
export function createRunSignals({ reads, watch }: Pick<Store, 'reads' | 'watch'>) {
  const listeners = new Set<Listener>();
  let unwatch: (() => void) | null = null;
  let after: number | null = null;
  let isReading = false;
  let again = false;

  function wake(isMeant: (listener: Listener) => boolean): void {
    for (const listener of listeners) if (isMeant(listener)) listener.changed.resolve();
  }

  /** Events before the first read are unknown: they may concern any attempt, so all listeners are woken. */
  async function readOn(): Promise<void> {
    if (after === null) {
      after = await reads.events.head();
      return wake(() => true);
    }
    for (let page: readonly Event[] = []; ; ) {
      page = await reads.events.page({ after, limit: BATCH });
      for (const event of page) {
        wake(
          ({ ids }) => isForAll(event) || ids.some((id) => event.audience.attempt_id === id || event.entity_id === id),
        );
        after = event.seq;
      }
      if (page.length < BATCH) return;
    }
  }

  async function readEvents(): Promise<void> {
    again = true;
    if (isReading) return;
    isReading = true;
    while (again) {
      again = false;
      // Events that cannot be read may concern any attempt, too.
      await readOn().catch(() => {
        after = null;
        wake(() => true);
      });
    }
    isReading = false;
  }

  return {
    open: (ids: readonly string[]) => {
      const listener: Listener = { ids, changed: Promise.withResolvers() };
      listeners.add(listener);
      unwatch ??= watch(() => void readEvents());
      return {
        /** Resolves when one of the attempts has changed since the last call of `next`, and after `within_ms` in any case. */
        next: async (within_ms: number, signal: AbortSignal): Promise<void> => {
          const over = new AbortController();
          const either = AbortSignal.any([signal, over.signal]);
          await Promise.race([listener.changed.promise, pause(within_ms, undefined, { signal: either, ref: false })]);
          over.abort();
          listener.changed = Promise.withResolvers();
        },
        close: (): void => {
          listeners.delete(listener);
          if (listeners.size > 0) return;
          unwatch?.();
          unwatch = null;
          after = null;
        },
      };
    },
  };
}
