import { z } from 'zod';
import { ROOM } from '#domain/answer-size';
import { Block, BlockDrafts, ItemDrafts, MAX_BLOCK_CHARACTERS } from '#domain/blocks';
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
    'Changes the blocks of an issue by one action: append_text_block (text, title?), append_checker (items, title?), update_checker_item (item_id, checked and/or text), replace_blocks (blocks), append_implementation_note (text).',
  scope: 'issue:structured_blocks:write',
  effect: 'update',
  key: 'required',
  tracker: true,
  route: 'POST /tasker/issues/{issue_id}/blocks',
  lane: 'issue_id',
  input: z.object({
    issue_id: taskerFields.issue_id,
    action: z.enum(BLOCK_ACTIONS).describe('What to do; each takes only its own fields.'),
    title: text(0, MAX_BLOCK_CHARACTERS.title).optional().describe('Heading of a new block: at most 200 characters.'),
    text: text(1, MAX_BLOCK_CHARACTERS.text)
      .optional()
      .describe('Text of the block, note or item: 1 to 10,000 characters.'),
    items: ItemDrafts.optional().describe('Items of a new checker, as {"text": "…"}.'),
    item_id: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .describe('Id of the checker item, from detail_layout of tasker_get_issue.'),
    checked: z.boolean().optional().describe('Whether it is done.'),
    blocks: BlockDrafts.optional().describe('All blocks from now on. Keep the ids of those that stay.'),
    expected_version: taskerFields.expected_version,
  }),
  output: z.object({
    issue: writtenIssue,
    blocks: z.array(Block).describe('Blocks that were made or changed.'),
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
