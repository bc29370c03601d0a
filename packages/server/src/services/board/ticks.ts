import { blocksOf, layoutFrom } from '#domain/blocks';
import type { WorkItemId } from '#domain/ids';
import { tickChanges } from '#domain/tick';
import type { Author } from '#services/tasker/adapter';
import { authorOf } from '#services/tasker/local-issues';
import type { ReadWork } from '#services/work';
import { taskOf } from './lookup.ts';

interface TickedItem {
  readonly item_id: string;
  readonly by: Author | null;
  readonly at: number;
}

/** Who ticked the items of a task's checklists that are ticked now, the first to be ticked first. */
export async function readTicks(work: ReadWork, id: WorkItemId): Promise<readonly TickedItem[]> {
  const { tx, caller } = work;
  const { workspace_id } = caller;
  const item = await taskOf(work, id);
  const { is } = tickChanges([], blocksOf(layoutFrom(item.detail_layout)));
  // A server of an older release unticks an item and leaves who had ticked it.
  const ticks = (await tx.ticks.of(item)).filter(({ item_id }) => is.has(item_id));
  return Promise.all(
    ticks.map(async ({ item_id, user_id, agent_id, at }) => ({
      item_id,
      by: await authorOf(tx, { workspace_id, user_id, agent_id }),
      at,
    })),
  );
}
