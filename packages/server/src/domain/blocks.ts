import { z } from 'zod';
import { text } from './text.ts';

export const MAX_BLOCKS = 100;
export const MAX_ITEMS = 200;
const MAX_CHARACTERS = 64_000;
/** Of the parts of a block. */
export const MAX_BLOCK_CHARACTERS = { title: 200, text: 10_000, item: 500 } as const;

/** The message for a list that is too long. */
const tooMany = (things: string, most: number) => ({
  error: ({ input }: { readonly input?: unknown }): string =>
    `holds ${Array.isArray(input) ? input.length : 'too many'} ${things}, and at most ${most} are allowed`,
});

/** The form of a block's or item's id. Errors quote ids, so an id must not be able to hold a sentence. */
export const BLOCK_ID = /^[\w.:-]{1,64}$/;

const BlockId = z.string().regex(BLOCK_ID, 'must be an id of 1 to 64 letters, digits, or one of the signs _ . : -');

export const CheckerItem = z.strictObject({
  id: BlockId.describe('The id of the item, unique in its card.'),
  text: text(1, MAX_BLOCK_CHARACTERS.item).describe('What is to be checked: 1 to 500 characters.'),
  checked: z.boolean().describe('Whether it is done.'),
});
export type CheckerItem = z.infer<typeof CheckerItem>;

const title = text(0, MAX_BLOCK_CHARACTERS.title).describe('Heading: at most 200 characters.');

const TextBlock = z.strictObject({
  id: BlockId.describe('The id of the block, unique in its card.'),
  type: z.literal('text').describe('Always "text".'),
  title: title.optional(),
  text: text(0, MAX_BLOCK_CHARACTERS.text).describe('Plain text, at most 10,000 characters.'),
});

const CheckerBlock = z.strictObject({
  id: BlockId.describe('The id of the block, unique in its card.'),
  type: z.literal('checker').describe('Always "checker".'),
  title: title.optional(),
  items: z.array(CheckerItem).max(MAX_ITEMS, tooMany('items', MAX_ITEMS)).describe('The items, in order.'),
});

export const Block = z.discriminatedUnion('type', [TextBlock, CheckerBlock]);
export type Block = z.infer<typeof Block>;

function mustBeUnique(blocks: readonly Block[], report: (problem: string) => void): void {
  const seen = new Set<string>();
  const ids = blocks.flatMap((block) => [
    block.id,
    ...(block.type === 'checker' ? block.items.map(({ id }) => id) : []),
  ]);
  for (const id of ids) {
    if (seen.has(id)) report(`has the id ${id} twice`);
    seen.add(id);
  }
}

/** Structured blocks of a card under their canonical key. */
export const DetailLayout = z.strictObject({
  nodedc_structured_blocks: z
    .strictObject({
      version: z.literal(1).describe('Always 1.'),
      blocks: z
        .array(Block)
        .max(MAX_BLOCKS, tooMany('blocks', MAX_BLOCKS))
        .check(({ value, issues }) => {
          mustBeUnique(value, (message) => void issues.push({ code: 'custom', input: value, message }));
          if (JSON.stringify(value).length <= MAX_CHARACTERS) return;
          issues.push({
            code: 'custom',
            input: value,
            message: `must be at most ${MAX_CHARACTERS} characters as JSON`,
          });
        })
        .describe('Blocks, in order: at most 100.'),
    })
    .describe('Structured blocks.'),
});
export type DetailLayout = z.infer<typeof DetailLayout>;

export const layoutOf = (blocks: readonly Block[]): DetailLayout => ({
  nodedc_structured_blocks: { version: 1, blocks: [...blocks] },
});

export const blocksOf = (layout: DetailLayout | null): readonly Block[] =>
  layout?.nodedc_structured_blocks.blocks ?? [];

/** An item as callers may send it: without an id, or as its text alone. */
const ItemDraft = z.preprocess(
  (item) => (typeof item === 'string' ? { text: item } : item),
  z.strictObject({
    id: BlockId.optional().describe('Id; made when left out.'),
    text: text(1, MAX_BLOCK_CHARACTERS.item).describe('What is to be checked: 1 to 500 characters.'),
    checked: z.boolean().optional().describe('Whether it is done.'),
  }),
);
export type ItemDraft = z.infer<typeof ItemDraft>;

export const ItemDrafts = z.array(ItemDraft).max(MAX_ITEMS).describe('Items, in order: at most 200.');

/** A block as callers may send it. One flat object for both types: clients reject schemas that combine several. */
const BlockDraft = z.strictObject({
  id: BlockId.optional().describe('Id; made when left out.'),
  type: z.enum(['text', 'checker']).describe('text has text, checker has items.'),
  title: title.optional(),
  text: text(0, MAX_BLOCK_CHARACTERS.text).optional().describe('Plain text: at most 10,000 characters.'),
  items: ItemDrafts.optional().describe('Items, in order: at most 200.'),
});
export type BlockDraft = z.infer<typeof BlockDraft>;

export const BlockDrafts = z.array(BlockDraft).max(MAX_BLOCKS).describe('Blocks, in order: at most 100.');

export const LayoutDraft = z.strictObject({
  nodedc_structured_blocks: z
    .strictObject({ version: z.literal(1).describe('Always 1.'), blocks: BlockDrafts })
    .describe('Structured blocks.'),
});
export type LayoutDraft = z.infer<typeof LayoutDraft>;

/** Blocks as a store keeps them. */
export const layoutFrom = (json: string | null): DetailLayout | null =>
  json === null ? null : DetailLayout.parse(JSON.parse(json));
