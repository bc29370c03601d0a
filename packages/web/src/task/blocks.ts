import type { Block, SeenTask } from '../api/task.ts';

export type Checker = Extract<Block, { readonly type: 'checker' }>;
export type TextBlock = Extract<Block, { readonly type: 'text' }>;

export const blocksOf = ({ issue }: SeenTask): readonly Block[] =>
  issue.detail_layout?.nodedc_structured_blocks.blocks ?? [];

/** The task with other blocks. */
export const withBlocks = (seen: SeenTask, blocks: readonly Block[]): SeenTask => ({
  ...seen,
  issue: { ...seen.issue, detail_layout: { nodedc_structured_blocks: { version: 1, blocks: [...blocks] } } },
});

const ofChecker = (block: Block, change: (checker: Checker) => Block): Block =>
  block.type === 'checker' ? change(block) : block;

/** The task with a criterion ticked or not. */
export const checkedIn = (seen: SeenTask, item_id: string, checked: boolean): SeenTask =>
  withBlocks(
    seen,
    blocksOf(seen).map((block) =>
      ofChecker(block, (checker) => ({
        ...checker,
        items: checker.items.map((item) => (item.id === item_id ? { ...item, checked } : item)),
      })),
    ),
  );

/** The blocks with one more criterion: in the given checklist, or in a new one where there is none. */
export function withCriterion(blocks: readonly Block[], block_id: string | null, text: string): readonly Block[] {
  const item = { id: freshId(blocks), text, checked: false };
  if (block_id === null) {
    return [...blocks, { id: freshId(blocks, 'c'), type: 'checker', title: 'Acceptance criteria', items: [item] }];
  }
  return blocks.map((block) =>
    ofChecker(block, (checker) =>
      checker.id === block_id ? { ...checker, items: [...checker.items, item] } : checker,
    ),
  );
}

/** The blocks without a criterion. A checklist that has none left goes with its last one. */
export const withoutCriterion = (blocks: readonly Block[], item_id: string): readonly Block[] =>
  blocks
    .map((block) =>
      ofChecker(block, (checker) => ({ ...checker, items: checker.items.filter(({ id }) => id !== item_id) })),
    )
    .filter((block) => block.type === 'text' || block.items.length > 0);

export const withText = (blocks: readonly Block[], title: string, text: string): readonly Block[] => [
  ...blocks,
  { id: freshId(blocks, 't'), type: 'text', ...(title !== '' && { title }), text },
];

/** An id that nothing in the task has. */
function freshId(blocks: readonly Block[], kind = 'i'): string {
  const taken = new Set(
    blocks.flatMap((block) => [block.id, ...(block.type === 'checker' ? block.items.map(({ id }) => id) : [])]),
  );
  let number = taken.size + 1;
  while (taken.has(`${kind}${number}`)) number += 1;
  return `${kind}${number}`;
}
