import type { Block, DetailLayout } from '#domain/blocks';
import { blocksOf } from '#domain/blocks';

/** Plane's sanitizer and editor keep `data-id`, and no other attribute that an id could be in. */
export const SECTION_ID = 'errand-blocks';

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\n', '<br>');

/** A blank line parts paragraphs; read back by joining them with one. */
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
  // The form that Plane's editor itself gives a list of checks.
  const items = block.items.map(
    (item) =>
      `<li data-checked="${item.checked}" data-type="taskItem" data-id="errand-item-${item.id}">` +
      `<label><input type="checkbox"${item.checked ? ' checked="checked"' : ''}><span></span></label>` +
      `<div><p>${escaped(item.text)}</p></div></li>`,
  );
  return `${heading}<ul data-type="taskList"${first}>${items.join('')}</ul>`;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Plain letters, whatever the id is made of: it stands in an attribute. */
const markOf = (operation_id: string): string => `errand ${operation_id.replaceAll(/[^\w.:-]/g, '-')}`;

/**
 * The blocks as people see them in Plane, below the description; empty for none. The heading names the operation that
 * wrote them and when, so that one which is repeated because its answer was lost finds its own work.
 */
export function sectionOf(layout: DetailLayout | null, operation_id: string): string {
  const blocks = blocksOf(layout);
  if (blocks.length === 0) return '';
  const heading = `<h2 data-id="${SECTION_ID}" title="${markOf(operation_id)} ${Date.now()}">Structured blocks</h2>`;
  return heading + blocks.map(htmlOfBlock).join('');
}

/** Whether the operation wrote the section. After a day its key may be used anew, for something else. */
export function isWrittenBy(section: string, operation_id: string): boolean {
  const [, mark, time] = / title="(errand \S+) (\d+)"/.exec(section.slice(0, section.indexOf('>'))) ?? [];
  return mark === markOf(operation_id) && Date.now() - Number(time) < DAY_MS;
}
