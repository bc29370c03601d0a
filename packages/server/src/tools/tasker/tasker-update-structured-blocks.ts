import { z } from 'zod';
import { ROOM } from '#domain/answer-size';
import { Block, BlockDrafts, ItemDrafts } from '#domain/blocks';
import { BLOCK_ACTIONS } from '#domain/patch-blocks';
import { shortBlocks } from '#domain/short-blocks';
import { text } from '#domain/text';
import { defineTool } from '#tools/define';
import { taskerFields } from './fields.ts';
import { truncated, truncatedOf, writtenIssue, writtenOf } from './present.ts';

export const taskerUpdateStructuredBlocks = defineTool({
  name: 'tasker_update_structured_blocks',
  title: 'Update structured blocks',
  description:
    'Changes the structured blocks of an issue by one action: append_text_block (text, title?), append_checker (items, title?), update_checker_item (item_id, checked and/or text), replace_blocks (blocks), append_implementation_note (text; adds a dated line). Ids of blocks and items never change.',
  scope: 'issue:structured_blocks:write',
  effect: 'update',
  key: 'required',
  tracker: true,
  route: 'POST /tasker/issues/{issue_id}/blocks',
  input: z.object({
    issue_id: taskerFields.issue_id,
    action: z.enum(BLOCK_ACTIONS).describe('What to do; each action takes only its own fields.'),
    title: text(0, 200).optional().describe('The heading of a new block, at most 200 characters.'),
    text: text(1, 10_000).optional().describe('Plain text of a block or note, or the new text of an item.'),
    items: ItemDrafts.optional().describe('The items of a new checker, in order: objects, or just their texts.'),
    item_id: z.string().min(1).max(64).optional().describe('The checker item, by id, as tasker_get_issue gives it.'),
    checked: z.boolean().optional().describe('Whether the item is done.'),
    blocks: BlockDrafts.optional().describe('All blocks of the issue from now on. Keep the ids of those that stay.'),
    expected_version: taskerFields.expected_version,
  }),
  output: z.object({
    issue: writtenIssue,
    blocks: z.array(Block).describe('The blocks that were made or changed, with their ids.'),
    truncated,
  }),
  entity: ({ issue_id }) => ({ kind: 'work_item', id: issue_id }),
  run: async ({ input: { action, title, text, items, item_id, checked, blocks, ...target }, work, services }) => {
    const patch = { action, title, text, items, item_id, checked, blocks };
    const changed = await services.tasker.blocks.patch(work, target, patch);
    const shown = shortBlocks(changed.blocks, ROOM.beside_issue);
    const isShort = JSON.stringify(shown) !== JSON.stringify(changed.blocks);
    return { issue: writtenOf(changed.issue), blocks: [...shown], ...truncatedOf(isShort ? ['blocks'] : []) };
  },
});
