import type { Tick } from '#domain/tick';
import type { WorkItem } from '#domain/work-item';

type OfItem = Pick<WorkItem, 'id' | 'workspace_id'>;

/** The read methods about who ticked the items of a checklist: see `Reads`. */
export interface TickReads {
  readonly ticks: {
    readonly of: (item: OfItem) => Promise<readonly Tick[]>;
  };
}

/** The write methods about the same. */
export interface TickWrites {
  readonly ticks: TickReads['ticks'] & {
    /** The latest tick of an item replaces the one before. */
    readonly put: (item: OfItem, tick: Tick) => Promise<void>;
    readonly drop: (item: OfItem, item_ids: readonly string[]) => Promise<void>;
  };
}
