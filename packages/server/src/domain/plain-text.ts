import { refusal } from './refusal.ts';
import { visible } from './visible-text.ts';

/** Plain text with at least one visible character. */
export function plainText(field: string, text: string): string {
  const clean = visible(text).trim();
  if (clean === '') throw refusal(field, 'must not be empty');
  return clean;
}

/** Plain text on one line, for names. A second line could look like another statement. */
export const plainLine = (field: string, text: string): string =>
  plainText(field, text.replaceAll(/\s*[\n\r\u2028\u2029]\s*/g, ' '));
