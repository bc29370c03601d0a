import { type Block, blocksOf, type DetailLayout } from '#domain/blocks';
import { KEY_LIFETIME_MS } from '#domain/idempotency';

/** Plane's sanitizer and editor keep `data-id`, and no other attribute that could hold an id. */
const SECTION_ID = 'errand-blocks';
const MAX_MARKS = 20;
const MAX_NAME_CHARACTERS = 24;

export const isSectionId = (data_id: string): boolean => data_id.split('.', 1)[0] === SECTION_ID;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\n', '<br>');

/** A blank line separates paragraphs; reading joins them with one again. */
const paragraphs = (text: string, first: string): string =>
  text
    .replaceAll(/\r\n?/g, '\n')
    .split('\n\n')
    .map((paragraph, index) => `<p${index === 0 ? first : ''}>${escaped(paragraph)}</p>`)
    .join('');

function htmlOfBlock(block: Block): string {
  const id = ` data-id="errand-${block.type}-${block.id}"`;
  const heading = block.title === undefined ? '' : `<h3${id}>${escaped(block.title)}</h3>`;
  const first = heading === '' ? id : '';
  if (block.type === 'text') return heading + paragraphs(block.text, first);
  // The form of a checklist in Plane's own editor.
  const items = block.items.map(
    (item) =>
      `<li data-checked="${item.checked}" data-type="taskItem" data-id="errand-item-${item.id}">` +
      `<label><input type="checkbox"${item.checked ? ' checked="checked"' : ''}><span></span></label>` +
      `<div><p>${escaped(item.text)}</p></div></li>`,
  );
  return `${heading}<ul data-type="taskList"${first}>${items.join('')}</ul>`;
}

/** A call that changes something in Plane, and when. */
export interface Operation {
  readonly operation_id: string;
  readonly now: number;
}

interface Mark {
  readonly name: string;
  readonly at: number;
}

/** Plain letters, because the name is in an attribute. */
const nameOf = (operation_id: string): string => operation_id.replaceAll(/\W/g, '-').slice(0, MAX_NAME_CHARACTERS);

/** The operations that wrote the section last. A forgotten key may be used again for something else. */
function marksIn(section: string, now: number): readonly Mark[] {
  const tag = section.slice(0, section.indexOf('>'));
  const [, marks = ''] = / data-id="errand-blocks((?:\.[\w-]+:[0-9a-z]+)*)"/.exec(tag) ?? [];
  return [...marks.matchAll(/\.([\w-]+):([0-9a-z]+)/g)]
    .map(([, name = '', at = '']) => ({ name, at: Number.parseInt(at, 36) }))
    .filter(({ at }) => now - at < KEY_LIFETIME_MS);
}

/**
 * The blocks as people see them in Plane, below the description; empty for none. The heading names the operations that
 * wrote them and when: an operation that is repeated because its answer was lost finds its work, even if others wrote
 * after it.
 */
export function sectionOf(layout: DetailLayout | null, { operation_id, now }: Operation, before = ''): string {
  const blocks = blocksOf(layout);
  if (blocks.length === 0) return '';
  const marks = [...marksIn(before, now), { name: nameOf(operation_id), at: now }].slice(-MAX_MARKS);
  const data_id = [SECTION_ID, ...marks.map(({ name, at }) => `${name}:${at.toString(36)}`)].join('.');
  return `<h2 data-id="${data_id}">Structured blocks</h2>${blocks.map(htmlOfBlock).join('')}`;
}

/** Whether the operation is one of those that wrote the section. */
export const isWrittenBy = (section: string, { operation_id, now }: Operation): boolean =>
  marksIn(section, now).some(({ name }) => name === nameOf(operation_id));
