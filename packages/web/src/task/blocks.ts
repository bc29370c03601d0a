import { onceKey } from '../api/once.ts';
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

/** A change of blocks. It is made twice: on what the page shows, and on what the server has when it is written. */
export type BlocksChange = (blocks: readonly Block[]) => readonly Block[];

/** Adds a criterion: to the given checklist, else to the first one, else to a new one. */
export function withCriterion(block_id: string | null, text: string): BlocksChange {
  const item = { id: newId('i'), text, checked: false };
  const fresh: Checker = { id: newId('c'), type: 'checker', title: 'Acceptance criteria', items: [item] };
  return (blocks) => {
    const checkers = blocks.filter(({ type }) => type === 'checker');
    const target = checkers.find(({ id }) => id === block_id) ?? checkers[0];
    if (target === undefined) return [...blocks, fresh];
    return blocks.map((block) =>
      block === target ? ofChecker(block, (checker) => ({ ...checker, items: [...checker.items, item] })) : block,
    );
  };
}

/** Removes a criterion. A checklist that has none left goes with its last one. */
export const withoutCriterion =
  (item_id: string): BlocksChange =>
  (blocks) =>
    blocks
      .map((block) =>
        ofChecker(block, (checker) => ({ ...checker, items: checker.items.filter(({ id }) => id !== item_id) })),
      )
      .filter((block) => block.type === 'text' || block.items.length > 0);

export function withText(title: string, text: string): BlocksChange {
  const block: TextBlock = { id: newId('t'), type: 'text', ...(title !== '' && { title }), text };
  return (blocks) => [...blocks, block];
}

export const withWords =
  (block_id: string, text: string): BlocksChange =>
  (blocks) =>
    blocks.map((block) => (block.id === block_id && block.type === 'text' ? { ...block, text } : block));

export const withoutBlock =
  (block_id: string): BlocksChange =>
  (blocks) =>
    blocks.filter(({ id }) => id !== block_id);

/** An id that nothing in the task has. */
const newId = (kind: string): string => `${kind}-${onceKey().slice(0, 12)}`;
