import { type Block, blocksOf } from '#domain/blocks';
import { type BlockPatch, checkedLayout, patchBlocks } from '#domain/patch-blocks';
import type { Ports } from '#services/ports';
import type { TrackerWork } from '#services/work';
import type { Issue, TaskerAdapter } from './adapter.ts';
import { issueOf, mustBeVersion } from './lookup.ts';
import { today } from './today.ts';

interface Target {
  readonly issue_id: string;
  readonly expected_version?: number | undefined;
}

interface ChangedBlocks {
  readonly issue: Issue;
  /** Those that the patch made or changed. */
  readonly blocks: readonly Block[];
}

export function createBlocks({ ids }: Ports, adapter: TaskerAdapter) {
  return {
    patch: async (
      work: TrackerWork,
      { issue_id, expected_version }: Target,
      patch: BlockPatch,
    ): Promise<ChangedBlocks> => {
      const issue = await issueOf(adapter, work, issue_id);
      mustBeVersion(issue, expected_version);

      const before = blocksOf(issue.detail_layout);
      const after = patchBlocks(before, patch, { id: ids, date: await today(work) });
      const changed = await adapter.update(work, issue, { detail_layout: checkedLayout(after, 'blocks') });
      work.changed(issue, changed);
      // As the tracker has them: one elsewhere may have done this very change before, under other ids.
      const touched = new Set(after.filter((block) => !before.includes(block)).map(({ id }) => id));
      return { issue: changed, blocks: blocksOf(changed.detail_layout).filter(({ id }) => touched.has(id)) };
    },
  };
}
