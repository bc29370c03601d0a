import { type Block, blocksOf } from '#domain/blocks';
import { type BlockPatch, checkedLayout, patchBlocks } from '#domain/patch-blocks';
import type { Ports } from '#services/ports';
import type { TrackerWork } from '#services/work';
import type { Issue, TaskerAdapter } from './adapter.ts';
import { changeIssue } from './change-issue.ts';
import { today } from './today.ts';

interface Target {
  readonly issue_id: string;
  readonly expected_version?: number | undefined;
}

interface ChangedBlocks {
  readonly issue: Issue;
  /** The blocks that the patch created or changed. */
  readonly blocks: readonly Block[];
}

const wordsOf = (block: Block): string =>
  JSON.stringify(block, (key, value: unknown) => (key === 'id' ? undefined : value));

/** The blocks with the tracker's ids: another tracker may have made this same change before, under other ids. */
function foundAgain(touched: readonly Block[], present: readonly Block[]): readonly Block[] {
  const ids = new Set(touched.map(({ id }) => id));
  const found = present.filter(({ id }) => ids.has(id));
  if (found.length > 0) return found;
  const words = new Set(touched.map(wordsOf));
  return present.filter((block) => words.has(wordsOf(block)));
}

export function createBlocks({ ids }: Ports, adapter: TaskerAdapter) {
  return {
    patch: (work: TrackerWork, target: Target, patch: BlockPatch): Promise<ChangedBlocks> =>
      changeIssue(adapter, work, target, async (issue) => {
        const before = blocksOf(issue.detail_layout);
        const after = patchBlocks(before, patch, { id: ids, date: await today(work) });
        const changed = await adapter.update(work, issue, { detail_layout: checkedLayout(after, 'blocks') });
        work.changed(issue, changed);
        const touched = after.filter((block) => !before.includes(block));
        return { issue: changed, blocks: foundAgain(touched, blocksOf(changed.detail_layout)) };
      }),
  };
}
