import type { Store } from '#store/store';
import type { Ports } from './ports.ts';

/** Commits come in bursts: wait for the burst and look once. */
const GATHER_MS = 20;

/**
 * Looks at once and after every commit, until `look` finds something. Null when the time is over, or the caller is gone.
 * Never call it in a transaction.
 */
export async function waitFor<T>(
  { watch, pause }: { readonly watch: Store['watch']; readonly pause: Ports['pause'] },
  look: () => Promise<T | null>,
  ms: number,
  signal?: AbortSignal,
): Promise<T | null> {
  const ended = new AbortController();
  const until = signal === undefined ? ended.signal : AbortSignal.any([signal, ended.signal]);
  let changed = Promise.withResolvers<void>();
  const unwatch = watch(() => changed.resolve());
  let isLate = ms <= 0;
  const late = pause(ms, until).then(() => {
    isLate = true;
  });
  try {
    for (;;) {
      // Before the look: a commit during the look must not be missed.
      changed = Promise.withResolvers<void>();
      const isLast = isLate;
      const found = await look();
      if (found !== null || isLast || signal?.aborted === true) return found;
      await Promise.race([changed.promise, late]);
      if (!isLate) await pause(GATHER_MS, until);
    }
  } finally {
    unwatch();
    ended.abort();
  }
}
