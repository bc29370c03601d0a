import { visible } from '#domain/visible-text';

const REDACTED = '[redacted]';

/** Shorter ones are found in ordinary words and ids, of which too much would go. */
const FOUND_ANYWHERE = 8;

const escaped = (text: string): string => text.replaceAll(/[^\w]/g, (character) => `\\u{${codeOf(character)}}`);
const codeOf = (character: string): string => (character.codePointAt(0) ?? 0).toString(16);

/** Takes a token out of a text, in the forms that servers repeat it in. */
export function withoutToken(token: string | null): (text: string) => string {
  if (token === null) return (text) => text;
  const forms = new Set([token, encodeURIComponent(token), JSON.stringify(token).slice(1, -1)]);
  const any = [...forms].map(escaped).join('|');
  const pattern = new RegExp(token.length < FOUND_ANYWHERE ? `(?<!\\w)(?:${any})(?!\\w)` : any, 'gu');
  return (text) => {
    // What cannot be seen is taken out later, and would leave a token that it had parted.
    const seen = visible(text);
    const clean = seen.replaceAll(pattern, REDACTED);
    return clean === seen ? text : clean;
  };
}

/** Whether something was taken out of it. */
export const isRedacted = (text: string): boolean => text.includes(REDACTED);
