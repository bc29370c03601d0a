import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Block, DetailLayout, layoutOf } from './blocks.ts';
import { BLOCK_ACTIONS, type BlockPatch, checkedLayout, NOTES_TITLE, openItems, patchBlocks } from './patch-blocks.ts';

const words = fc.string({ minLength: 1, maxLength: 12 }).map((text) => `w${text.replaceAll(/\p{C}/gu, '')}`);
const items = fc.array(fc.record({ text: words, checked: fc.boolean() }), { minLength: 1, maxLength: 4 });
const drafts = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant('text' as const), text: words }),
    fc.record({ type: fc.constant('checker' as const), title: words, items }),
  ),
  { maxLength: 4 },
);

/** A patch that fits its action; `pick` chooses an item among those there are. */
const patches = fc.record({
  action: fc.constantFrom(...BLOCK_ACTIONS),
  text: words,
  title: words,
  items,
  blocks: drafts,
  checked: fc.boolean(),
  pick: fc.nat(),
});
type Wish = typeof patches extends fc.Arbitrary<infer T> ? T : never;

const idsOf = (blocks: readonly Block[]): readonly string[] =>
  blocks.flatMap((block) => [block.id, ...(block.type === 'checker' ? block.items.map(({ id }) => id) : [])]);
const itemIds = (blocks: readonly Block[]) =>
  blocks.flatMap((block) => (block.type === 'checker' ? block.items.map(({ id }) => id) : []));

function fittingPatch(
  { action, text, title, items, blocks, checked, pick }: Wish,
  present: readonly Block[],
): BlockPatch | null {
  const known = itemIds(present);
  if (action === 'append_text_block') return { action, text, title };
  if (action === 'append_checker') return { action, items };
  if (action === 'replace_blocks') return { action, blocks };
  if (action === 'append_implementation_note') return { action, text };
  return known.length === 0 ? null : { action, item_id: known[pick % known.length], checked };
}

function counted(): () => string {
  let count = 0;
  return () => {
    count++;
    return `id-${count}`;
  };
}

describe('patches of blocks', () => {
  it('[TSK-33] keep ids unique, leave other blocks unchanged, and always match the schema', () => {
    fc.assert(
      fc.property(fc.array(patches, { maxLength: 12 }), (wishes) => {
        const id = counted();
        let blocks: readonly Block[] = [];
        for (const wish of wishes) {
          const patch = fittingPatch(wish, blocks);
          if (patch === null) continue;
          const before = blocks;
          blocks = patchBlocks(before, patch, { id, date: '2026-01-01' });

          expect(new Set(idsOf(blocks)).size).toBe(idsOf(blocks).length);
          expect(DetailLayout.parse(layoutOf(blocks))).toEqual(layoutOf(blocks));
          if (patch.action === 'replace_blocks') continue;
          expect(idsOf(blocks).slice(0, idsOf(before).length)).toEqual(idsOf(before));
          const changed = before.filter((block) => !blocks.includes(block));
          expect(changed.length).toBeLessThanOrEqual(1);
          expect(before.map((block, index) => blocks[index] === block || changed.includes(block))).not.toContain(false);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('[TSK-33] change one item and no other', () => {
    const blocks = patchBlocks([], { action: 'append_checker', items: [{ text: 'a' }, { text: 'b' }] }, making());

    const [checker] = patchBlocks(blocks, { action: 'update_checker_item', item_id: 'id-3', checked: true }, making());

    expect(checker).toMatchObject({
      items: [
        { id: 'id-2', checked: false },
        { id: 'id-3', text: 'b', checked: true },
      ],
    });
    expect(() => patchBlocks(blocks, { action: 'update_checker_item', item_id: 'id-3' }, making())).toThrow('checked');
    expect(openItems([checker as Block]).map(({ id }) => id)).toEqual(['id-2']);
  });

  it('[TSK-33] keep nothing invisible', () => {
    const blocks = patchBlocks(
      [],
      {
        action: 'replace_blocks',
        blocks: [
          { type: 'text', title: 'Pl\u200ban', text: 'We\u202eld' },
          { type: 'checker', title: '\u2060', items: [{ text: 'C\u200but' }] },
        ],
      },
      making(),
    );

    expect(blocks).toEqual([
      { id: 'id-1', type: 'text', title: 'Plan', text: 'Weld' },
      { id: 'id-2', type: 'checker', items: [{ id: 'id-3', text: 'Cut', checked: false }] },
    ]);
  });

  it('[TSK-33] collect notes in one block, and begin another when it is full', () => {
    const note = (blocks: readonly Block[], text: string) =>
      patchBlocks(blocks, { action: 'append_implementation_note', text }, { id, date: '2026-03-04' });
    const id = counted();

    const two = note(note([], 'first'), 'second');
    const three = note(two, 'x'.repeat(9_980));

    expect(two).toEqual([
      { id: 'id-1', type: 'text', title: NOTES_TITLE, text: '2026-03-04: first\n2026-03-04: second' },
    ]);
    expect(three.map(({ id: block, title }) => [block, title])).toEqual([
      ['id-1', NOTES_TITLE],
      ['id-2', NOTES_TITLE],
    ]);
  });

  it('hold no more than the limits allow', () => {
    const many = (count: number) => ({
      action: 'replace_blocks' as const,
      blocks: Array.from({ length: count }, () => ({ type: 'text' as const, text: 'x'.repeat(700) })),
    });

    const fits = checkedLayout(patchBlocks([], many(80), making()), 'blocks');

    expect(fits.nodedc_structured_blocks.blocks).toHaveLength(80);
    expect(() => checkedLayout(patchBlocks([], many(90), making()), 'blocks')).toThrow('64000');
    expect(() => checkedLayout(patchBlocks([], many(101), making()), 'blocks')).toThrow('blocks: ');
  });
});

const making = () => ({ id: counted(), date: '2026-01-01' });
