import { sanitizeHtml, textOf } from '#domain/rich-text';
import { visible } from '#domain/visible-text';
import { refusal } from './refusals.ts';

const LONGEST_HTML = 50_000;

/** Plain text as a reader sees it; there must be something to see. */
export function plainText(field: string, text: string): string {
  const clean = visible(text).trim();
  if (clean === '') throw refusal(field, 'must not be empty');
  return clean;
}

/** HTML with nothing in it but written text; null when nothing is left. */
export function safeHtml(field: string, html: string): string | null {
  const clean = sanitizeHtml(html).trim();
  if (clean.length > LONGEST_HTML) {
    throw refusal(field, `must be at most ${LONGEST_HTML} characters long once it is cleaned, not ${clean.length}`);
  }
  return clean === '' ? null : clean;
}

/** The HTML of a comment, in which there must be something to read. */
export function readableHtml(field: string, html: string): string {
  const clean = safeHtml(field, html);
  if (clean === null || textOf(clean).trim() === '') throw refusal(field, 'must hold some text');
  return clean;
}
