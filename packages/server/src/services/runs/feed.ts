import type { Execution, FeedEntry } from '#domain/run';
import type { Transaction } from '#store/store';
import { type Actor, feedEvent } from './run-events.ts';

/** Adds to what is known to have happened in a run. */
export async function addEntry(
  { tx, caller }: { readonly tx: Transaction; readonly caller: Actor | null },
  execution: Execution,
  { kind, text }: Pick<FeedEntry, 'kind' | 'text'>,
): Promise<FeedEntry> {
  const entry = await tx.executions.insertEntry({ execution_id: execution.id, kind, text, at: tx.now });
  tx.emit(feedEvent(execution, entry, caller));
  return entry;
}
