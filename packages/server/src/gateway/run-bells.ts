import { setTimeout as pause } from 'node:timers/promises';
import type { Event } from '#domain/event';
import type { Store } from '#store/store';

const BATCH = 500;

interface Bell {
  readonly attempt_id: string;
  rung: PromiseWithResolvers<void>;
}

/** Whoever could no longer act must learn it, whatever they follow. */
const isForAll = ({ audience }: Event): boolean => audience.scope === 'admin';

/** Rings for those who follow an attempt when something of it was changed, by anyone. The changes are read once for all of them. */
export function createRunBells({ reads, watch }: Pick<Store, 'reads' | 'watch'>) {
  const bells = new Set<Bell>();
  let unwatch: (() => void) | null = null;
  let after: number | null = null;
  let isReading = false;
  let again = false;

  function ring(isMeant: (bell: Bell) => boolean): void {
    for (const bell of bells) if (isMeant(bell)) bell.rung.resolve();
  }

  /** What came before the first look is unknown, so it may be about anyone. */
  async function readOn(): Promise<void> {
    if (after === null) {
      after = await reads.events.head();
      return ring(() => true);
    }
    for (let page: readonly Event[] = []; ; ) {
      page = await reads.events.page({ after, limit: BATCH });
      for (const event of page) {
        ring(({ attempt_id }) => isForAll(event) || event.audience.attempt_id === attempt_id);
        after = event.seq;
      }
      if (page.length < BATCH) return;
    }
  }

  async function hear(): Promise<void> {
    again = true;
    if (isReading) return;
    isReading = true;
    while (again) {
      again = false;
      // What cannot be read may be about anyone, too.
      await readOn().catch(() => {
        after = null;
        ring(() => true);
      });
    }
    isReading = false;
  }

  return {
    open: (attempt_id: string) => {
      const bell: Bell = { attempt_id, rung: Promise.withResolvers() };
      bells.add(bell);
      unwatch ??= watch(() => void hear());
      return {
        /** Resolves when it rings, or has since it was asked before; and after so long in any case. */
        next: async (within_ms: number, signal: AbortSignal): Promise<void> => {
          const over = new AbortController();
          const either = AbortSignal.any([signal, over.signal]);
          await Promise.race([bell.rung.promise, pause(within_ms, undefined, { signal: either, ref: false })]);
          over.abort();
          bell.rung = Promise.withResolvers();
        },
        close: (): void => {
          bells.delete(bell);
          if (bells.size > 0) return;
          unwatch?.();
          unwatch = null;
          after = null;
        },
      };
    },
  };
}
