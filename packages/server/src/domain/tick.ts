import type { Block, CheckerItem } from './blocks.ts';
import type { AgentId, UserId, WorkItemId } from './ids.ts';

/** Who ticked an item of a checklist, and when. It says nothing about whether the item is ticked still. */
export interface Tick {
  readonly work_item_id: WorkItemId;
  /** Unique among the items of the task. */
  readonly item_id: string;
  readonly user_id: UserId;
  readonly agent_id: AgentId | null;
  readonly at: number;
}

const tickedIn = (blocks: readonly Block[]): ReadonlySet<string> =>
  new Set(
    blocks
      .flatMap((block): readonly CheckerItem[] => (block.type === 'checker' ? block.items : []))
      .filter(({ checked }) => checked)
      .map(({ id }) => id),
  );

/** The ids of the items that a change ticked, and of those that it unticked or removed. */
export function tickChanges(before: readonly Block[], after: readonly Block[]) {
  const [was, is] = [tickedIn(before), tickedIn(after)];
  return { ticked: [...is].filter((id) => !was.has(id)), unticked: [...was].filter((id) => !is.has(id)), is };
}
