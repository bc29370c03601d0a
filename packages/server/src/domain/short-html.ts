import { jsonLength } from './answer-size.ts';
import { sanitizeHtml } from './rich-text.ts';

const HALF_A_TAG = /<[^>]*$/;
const HALF_AN_ENTITY = /&[^;\s]*$/;
const MIN_SHOWN_CHARACTERS = 24;

/** Shortens sanitized HTML to at most this many characters of an answer. A cut is marked. */
export function shortHtml(html: string, characters: number): string {
  if (jsonLength(html) <= characters) return html;
  for (let size = characters; size >= MIN_SHOWN_CHARACTERS; size = Math.floor(size * 0.8)) {
    const cut = html
      .slice(0, size)
      .replace(/[\uD800-\uDBFF]$/, '')
      .replace(HALF_A_TAG, '')
      .replace(HALF_AN_ENTITY, '');
    // Sanitizing again closes the tags that the cut left open.
    const short = sanitizeHtml(`${cut}…`);
    if (jsonLength(short) <= characters) return short;
  }
  return '';
}
