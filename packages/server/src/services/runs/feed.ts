import type { FeedEntry, Run } from '#domain/run';
import type { Transaction } from '#store/store';
import { type Actor, feedEvent } from './run-events.ts';

/** Adds an entry to the feed of a run. */
export async function addEntry(
  { tx, caller }: { readonly tx: Transaction; readonly caller: Actor | null },
  run: Run,
  { kind, text }: Pick<FeedEntry, 'kind' | 'text'>,
): Promise<FeedEntry> {
  const entry = await tx.runs.insertEntry({ execution_id: run.id, kind, text, at: tx.now });
  tx.emit(feedEvent(run, entry, caller));
  return entry;
}
