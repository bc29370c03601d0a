import type { Execution, FeedEntry } from '#domain/execution';
import type { WriteWork } from '#services/work';
import { feedEvent } from './run-events.ts';

/** Adds to what is known to have happened in a run. */
export async function addEntry(
  { tx, caller }: Pick<WriteWork, 'tx' | 'caller'>,
  execution: Execution,
  { kind, text }: Pick<FeedEntry, 'kind' | 'text'>,
): Promise<FeedEntry> {
  const entry = await tx.executions.insertEntry({ execution_id: execution.id, kind, text, at: tx.now });
  tx.emit(feedEvent(execution, entry, caller));
  return entry;
}
