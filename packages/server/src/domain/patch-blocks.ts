import { type Block, type BlockDraft, type CheckerItem, DetailLayout, type ItemDraft, layoutOf } from './blocks.ts';
import { plainText } from './plain-text.ts';
import { refusal } from './refusal.ts';
import { visible } from './visible-text.ts';

export const BLOCK_ACTIONS = [
  'append_text_block',
  'append_checker',
  'update_checker_item',
  'replace_blocks',
  'append_implementation_note',
] as const;
type BlockAction = (typeof BLOCK_ACTIONS)[number];

interface PatchFields {
  readonly title?: string | undefined;
  readonly text?: string | undefined;
  readonly items?: readonly ItemDraft[] | undefined;
  readonly item_id?: string | undefined;
  readonly checked?: boolean | undefined;
  readonly blocks?: readonly BlockDraft[] | undefined;
}

export interface BlockPatch extends PatchFields {
  readonly action: BlockAction;
}

interface Making {
  /** Makes the id of a new block or item. */
  readonly id: () => string;
  /** The day of the change, as YYYY-MM-DD. */
  readonly date: string;
}

type Field = keyof PatchFields;

const TAKES: Readonly<Record<BlockAction, { readonly needed: readonly Field[]; readonly optional: readonly Field[] }>> =
  {
    append_text_block: { needed: ['text'], optional: ['title'] },
    append_checker: { needed: ['items'], optional: ['title'] },
    update_checker_item: { needed: ['item_id'], optional: ['checked', 'text'] },
    replace_blocks: { needed: ['blocks'], optional: [] },
    append_implementation_note: { needed: ['text'], optional: [] },
  };

export const NOTES_TITLE = 'Implementation notes';
const MAX_NOTES_CHARACTERS = 10_000;
const MAX_IDS_LISTED = 20;

function mustFit({ action, ...fields }: BlockPatch): void {
  const { needed, optional } = TAKES[action];
  // The cast: `Object.keys` forgets the names of the fields.
  const given = (Object.keys(fields) as Field[]).filter((field) => fields[field] !== undefined);
  const strange = given.find((field) => !needed.includes(field) && !optional.includes(field));
  if (strange !== undefined) throw refusal(strange, `is not taken by the action ${action}`);
  const missing = needed.find((field) => !given.includes(field));
  if (missing !== undefined) throw refusal(missing, `is required by the action ${action}`);
}

const titled = (title: string | undefined): { readonly title?: string } => {
  const clean = visible(title ?? '').trim();
  return clean === '' ? {} : { title: clean };
};

const itemsFrom = (drafts: readonly ItemDraft[], field: string, { id }: Pick<Making, 'id'>): CheckerItem[] =>
  drafts.map((draft, index) => ({
    id: draft.id ?? id(),
    text: plainText(`${field}.${index}.text`, draft.text),
    checked: draft.checked ?? false,
  }));

function blockFrom(draft: BlockDraft, field: string, making: Pick<Making, 'id'>): Block {
  const { type, title, text, items } = draft;
  const id = draft.id ?? making.id();
  if (type === 'text') {
    if (items !== undefined) throw refusal(`${field}.items`, 'is not taken by a text block');
    if (text === undefined) throw refusal(`${field}.text`, 'is required by a text block');
    return { id, type, ...titled(title), text: visible(text).trim() };
  }
  if (text !== undefined) throw refusal(`${field}.text`, 'is not taken by a checker');
  if (items === undefined) throw refusal(`${field}.items`, 'is required by a checker');
  return { id, type, ...titled(title), items: itemsFrom(items, `${field}.items`, making) };
}

/** Complete blocks from the caller's input: given ids stay, missing ids are made. */
export const blocksFrom = (
  drafts: readonly BlockDraft[],
  field: string,
  making: Pick<Making, 'id'>,
): readonly Block[] => drafts.map((draft, index) => blockFrom(draft, `${field}.${index}`, making));

const allItems = (blocks: readonly Block[]): readonly CheckerItem[] =>
  blocks.flatMap((block) => (block.type === 'checker' ? block.items : []));

/** The checker items that are not ticked. */
export const openItems = (blocks: readonly Block[]): readonly CheckerItem[] =>
  allItems(blocks).filter(({ checked }) => !checked);

function updateItem(blocks: readonly Block[], { item_id, checked, text }: BlockPatch): readonly Block[] {
  if (checked === undefined && text === undefined) throw refusal('checked', 'give checked, text, or both');
  const ids = allItems(blocks).map(({ id }) => id);
  if (item_id === undefined || !ids.includes(item_id)) {
    const known = ids.slice(0, MAX_IDS_LISTED);
    const listed = known.length === 0 ? 'there are none' : known.join(', ');
    throw refusal('item_id', `names no checker item of this issue; its items: ${listed}`, undefined, {
      item_ids: known,
    });
  }

  const changed = (item: CheckerItem): CheckerItem =>
    item.id === item_id
      ? { ...item, checked: checked ?? item.checked, text: text === undefined ? item.text : plainText('text', text) }
      : item;
  return blocks.map((block) =>
    block.type === 'checker' && block.items.some(({ id }) => id === item_id)
      ? { ...block, items: block.items.map(changed) }
      : block,
  );
}

function appendNote(blocks: readonly Block[], text: string, { id, date }: Making): readonly Block[] {
  // Indented: otherwise a line of the text could look like a separate note.
  const line = `${date}: ${plainText('text', text).replaceAll('\n', '\n  ')}`;
  const index = blocks.findLastIndex(({ type, title }) => type === 'text' && title === NOTES_TITLE);
  const notes = blocks[index];
  const longer = notes?.type === 'text' && notes.text !== '' ? `${notes.text}\n${line}` : line;
  if (notes?.type !== 'text' || longer.length > MAX_NOTES_CHARACTERS) {
    return [...blocks, { id: id(), type: 'text', title: NOTES_TITLE, text: line }];
  }
  return blocks.with(index, { ...notes, text: longer });
}

/** Applies one patch. Everything else in the blocks stays the same, including ids. */
export function patchBlocks(blocks: readonly Block[], patch: BlockPatch, making: Making): readonly Block[] {
  mustFit(patch);
  const { action, title, text = '', items = [], blocks: drafts = [] } = patch;
  switch (action) {
    case 'append_text_block':
      return [...blocks, { id: making.id(), type: 'text', ...titled(title), text: plainText('text', text) }];
    case 'append_checker':
      if (items.length === 0) throw refusal('items', 'must have at least 1 item');
      return [
        ...blocks,
        { id: making.id(), type: 'checker', ...titled(title), items: itemsFrom(items, 'items', making) },
      ];
    case 'update_checker_item':
      return updateItem(blocks, patch);
    case 'replace_blocks':
      return blocksFrom(drafts, 'blocks', making);
    case 'append_implementation_note':
      return appendNote(blocks, text, making);
  }
}

/** The blocks under their canonical key. Throws an error that names the limit they exceed. */
export function checkedLayout(blocks: readonly Block[], field: string): DetailLayout {
  const layout = layoutOf(blocks);
  const { error } = DetailLayout.safeParse(layout);
  const problem = error?.issues[0];
  if (problem === undefined) return layout;
  // The first two path elements are the canonical key and its list, which the caller did not write.
  throw refusal([field, ...problem.path.slice(2)].join('.'), problem.message);
}
