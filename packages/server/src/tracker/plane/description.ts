import type { DetailLayout } from '#domain/blocks';
import { type CleanHtml, sanitizeHtml, textOfClean } from '#domain/rich-text';
import { readBlocks } from './read-blocks.ts';

/** A description of Plane in two parts: the people's text, unchanged, and Errand's section at the end. */
export interface Description {
  readonly prose: string;
  readonly section: string;
}

const MARK = 'data-id="errand-';
const OPENS_SECTION = /^<(?:h[1-6]|p|ul)\s[^<>]*$/;
// Plane's form of an empty description; it refuses an empty text.
const EMPTY = '<p></p>';

/** The position of the section's first element; -1 for none. A mark that is quoted in a text does not count. */
function sectionStart(html: string): number {
  let from = 0;
  for (let at = html.indexOf(MARK); at >= 0; at = html.indexOf(MARK, at + 1)) {
    // Search back to the previous mark only: with many marks, a search from the beginning would be quadratic.
    const between = html.slice(from, at);
    const start = between.lastIndexOf('<');
    if (start >= 0 && OPENS_SECTION.test(between.slice(start))) return from + start;
    from = at;
  }
  return -1;
}

/** Removes the one `div` that Plane puts around several elements. */
function unwrapped(html: string): string {
  if (!html.startsWith('<div>') || !html.endsWith('</div>')) return html;
  let depth = 0;
  for (const { 0: tag, index } of html.matchAll(/<\/?div\b/g)) {
    depth += tag === '<div' ? 1 : -1;
    if (depth === 0 && index < html.length - '</div>'.length) return html;
  }
  return html.slice('<div>'.length, -'</div>'.length);
}

export function takeApart(stored: string | null): Description {
  const html = unwrapped(stored ?? '');
  const start = sectionStart(html);
  return start < 0 ? { prose: html, section: '' } : { prose: html.slice(0, start), section: html.slice(start) };
}

export const putTogether = ({ prose, section }: Description): string => prose + section || EMPTY;

/** Plane's editor recognises a check only by this attribute. */
export const htmlForPlane = (html: string): string =>
  html.replaceAll('<li data-checked="', '<li data-type="taskItem" data-checked="');

/** The server's editor writes a done check as a bare attribute. */
const withWords = (html: string): string => html.replaceAll(/<li\b[^<>]* data-checked(?=[ >])/g, '$&="true"');

const MAX_SHOWN_CHARACTERS = 200_000;

/** Cuts HTML to a length that can be sanitized in reasonable time. A cut is marked. */
export function beginningOf(html: string, most: number): string {
  if (html.length <= most) return html;
  const cut = html.slice(0, most);
  const tag = cut.lastIndexOf('<');
  return `${cut.indexOf('>', tag) < 0 ? cut.slice(0, tag) : cut}<p>…</p>`;
}

const shown = (html: string): CleanHtml | null => {
  const clean = sanitizeHtml(withWords(beginningOf(html, MAX_SHOWN_CHARACTERS)));
  return textOfClean(clean) === '' && !clean.includes('<hr') ? null : clean;
};

export interface Meaning {
  readonly description_html: CleanHtml | null;
  readonly detail_layout: DetailLayout | null;
  /** Whether its section, if any, could be read as blocks. */
  readonly is_readable: boolean;
}

/** Reads a description. A section that holds more than blocks stays part of the description. */
export function meaningOf({ prose, section }: Description): Meaning {
  const detail_layout = section === '' ? null : readBlocks(section);
  const is_readable = section === '' || detail_layout !== null;
  return { description_html: shown(is_readable ? prose : prose + section), detail_layout, is_readable };
}

export const newDescription = (description_html: string | null, section: string): string =>
  putTogether({ prose: htmlForPlane(description_html ?? ''), section });
