import { taskerGetIssue, taskerUpdateStructuredBlocks } from 'errand/client';
import { answerOf, CallError } from 'errand/client/answer';
import { onceKey } from './once.ts';
import type { Block } from './task.ts';

/** How often a change of blocks is made again after others wrote in between. */
const MAX_TRIES = 4;

/** Ticks one criterion: the server changes that item alone. */
export const writeTick = (task_id: string, item_id: string, checked: boolean) =>
  answerOf(
    taskerUpdateStructuredBlocks(task_id, {
      action: 'update_checker_item',
      item_id,
      checked,
      idempotency_key: onceKey(),
    }),
  );

async function readBlocks(task_id: string) {
  const { issue } = await answerOf(taskerGetIssue(task_id, { include: ['blocks'] }));
  return { version: issue.version, blocks: issue.detail_layout?.nodedc_structured_blocks.blocks ?? [] };
}

/**
 * Changes the blocks of a task as they are now, not as the page showed them: what others, or the same person a moment
 * ago, have written in between is kept.
 */
export async function writeBlocks(task_id: string, change: (blocks: readonly Block[]) => readonly Block[]) {
  for (let tries = 1; ; tries += 1) {
    const { version, blocks } = await readBlocks(task_id);
    try {
      return await answerOf(
        taskerUpdateStructuredBlocks(task_id, {
          action: 'replace_blocks',
          blocks: change(blocks).map((block) => ({ ...block })),
          ...(version !== undefined && { expected_version: version }),
          idempotency_key: onceKey(),
        }),
      );
    } catch (error) {
      const isOutdated = error instanceof CallError && error.failure.code === 'version_conflict';
      if (!isOutdated || tries === MAX_TRIES) throw error;
    }
  }
}
