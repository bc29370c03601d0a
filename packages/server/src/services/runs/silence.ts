import { type Liveness, QUIET_AFTER_MS, STALLED_AFTER_MS } from '#domain/run';
import type { Reads, Transaction } from '#store/store';
import { runEvent } from './run-events.ts';

const BATCH = 200;

// The longer silence first: a run that is found late is marked stalled at once, not quiet and then stalled.
const SILENCES: readonly (readonly [Exclude<Liveness, 'live'>, number])[] = [
  ['stalled', STALLED_AFTER_MS],
  ['quiet', QUIET_AFTER_MS],
];

/** Whether a run must be marked as quiet or stalled. */
export async function hasSilent({ runs }: Reads): Promise<boolean> {
  for (const [liveness, silent_ms] of SILENCES) {
    if (await runs.hasSilent({ liveness, silent_ms })) return true;
  }
  return false;
}

/** Marks a batch of runs without a recent sign of life, by the store's clock. Resolves to whether there may be more. */
export async function markSilent(tx: Transaction): Promise<boolean> {
  let isMore = false;
  for (const [liveness, after_ms] of SILENCES) {
    const silent = await tx.runs.silent({ seen_before: tx.now - after_ms, liveness, limit: BATCH });
    for (const run of silent) {
      const marked = { ...run, liveness };
      await tx.runs.update(marked);
      tx.emit(runEvent(liveness, marked, null));
    }
    isMore ||= silent.length === BATCH;
  }
  return isMore;
}
