import { refusal } from './refusal.ts';
import { visible } from './visible-text.ts';

/** Plain text as a reader sees it; there must be something to see. */
export function plainText(field: string, text: string): string {
  const clean = visible(text).trim();
  if (clean === '') throw refusal(field, 'must not be empty');
  return clean;
}

/** Plain text on one line, for names: more lines could pass for more than a name. */
export const plainLine = (field: string, text: string): string =>
  plainText(field, text.replaceAll(/\s*[\n\r\u2028\u2029]\s*/g, ' '));
