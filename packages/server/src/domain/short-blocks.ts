import { fitting, jsonLength, shortText } from './answer-size.ts';
import type { Block } from './blocks.ts';

/** The part of a block that fits; null when none does. */
function shortBlock(block: Block, characters: number): Block | null {
  if (block.type === 'text') {
    const text = shortText(block.text, characters - jsonLength({ ...block, text: '' }) + 2);
    return text === '' ? null : { ...block, text };
  }
  const shown = fitting(block.items, characters - jsonLength({ ...block, items: [] }));
  return shown === 0 ? null : { ...block, items: block.items.slice(0, shown) };
}

/** The first blocks that fit into this many characters of an answer. The last block may be shortened. */
export function shortBlocks(blocks: readonly Block[], characters: number): readonly Block[] {
  const whole = blocks.slice(0, fitting(blocks, characters));
  const next = blocks[whole.length];
  const part = next === undefined ? null : shortBlock(next, characters - jsonLength(whole) - 1);
  return part === null ? whole : [...whole, part];
}
