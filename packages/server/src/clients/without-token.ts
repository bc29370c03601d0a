import { visible } from '#domain/visible-text';

const REDACTED = '[redacted]';

/** Shorter tokens occur in ordinary words and ids: too much would be removed. */
const MIN_CHARACTERS = 8;

const escaped = (text: string): string => text.replaceAll(/[^\w]/g, (character) => `\\u{${codeOf(character)}}`);
const codeOf = (character: string): string => (character.codePointAt(0) ?? 0).toString(16);

/** Removes a token from a text, in the forms in which servers repeat it. */
export function withoutToken(token: string | null): (text: string) => string {
  if (token === null) return (text) => text;
  const forms = new Set([token, encodeURIComponent(token), JSON.stringify(token).slice(1, -1)]);
  const any = [...forms].map(escaped).join('|');
  const pattern = new RegExp(token.length < MIN_CHARACTERS ? `(?<!\\w)(?:${any})(?!\\w)` : any, 'gu');
  return (text) => {
    // First remove invisible characters: removed later, they would join the parts of a split token.
    const seen = visible(text);
    const clean = seen.replaceAll(pattern, REDACTED);
    return clean === seen ? text : clean;
  };
}

/** Whether something was removed from the text. */
export const isRedacted = (text: string): boolean => text.includes(REDACTED);
