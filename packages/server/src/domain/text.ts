import { z } from 'zod';

/** The longest path that Linux opens. */
export const MAX_PATH_CHARACTERS = 4_096;

/** Counts the characters of a text as a person does: an emoji is one character, JavaScript counts two. */
export const characters = (text: string): number => {
  let points = 0;
  for (const _ of text) points++;
  return points;
};

/** Text of at most `characters` characters. */
export const text = (min: number, max: number) =>
  z
    .string()
    .trim()
    .check((context) => {
      const { value } = context;
      // A string never has fewer UTF-16 units than code points, so most need no counting.
      if (value.length >= min && value.length <= max && (min <= 1 || value.length >= min * 2)) return;
      const points = characters(value);
      if (points >= min && points <= max) return;
      const wanted = min === 0 ? `at most ${max}` : `${min} to ${max}`;
      context.issues.push({ code: 'custom', input: value, message: `must have ${wanted} characters, not ${points}` });
    })
    .meta({ minLength: min, maxLength: max });

/** True when every store can keep the text: UTF-8 has no lone surrogates, and Postgres refuses U+0000. */
export const isStorable = (value: string): boolean => value.isWellFormed() && !value.includes('\0');

// Placeholders for a token in instructions. Other words in such brackets may be real tokens.
const PLACEHOLDER = /<(?:your[ _-])?(?:access[ _-])?token>(?![\w~+/=-])/;
// A quote ends the token, unless more of it follows.
const BEARER = /bearer\s+["'\\]*(?:[^\s"']|["'](?=[\w~+/=-]))+/;
const CREDENTIAL = new RegExp(`errand_[a-z]+_\\w+|(?!bearer\\s+${PLACEHOLDER.source})${BEARER.source}`, 'gi');
const MAY_HOLD_CREDENTIAL = /errand_|bearer/i;
const MAX_CREDENTIAL_CHARACTERS = 100;

const TOKEN = /errand_[a-z]+_\w{20,}/;
const EVERY_TOKEN = new RegExp(TOKEN, 'g');

/** True when the text contains a token. */
export const hasCredential = (value: string): boolean => TOKEN.test(value);

/** The text without tokens, for our messages that quote the caller. Names of settings, such as ERRAND_TASK_STORE, stay. */
export const withoutTokens = (value: string): string => value.replaceAll(EVERY_TOKEN, '[redacted]');

/** The text with credentials taken out. */
export const withoutCredentials = (value: string): string =>
  MAY_HOLD_CREDENTIAL.test(value) ? value.replaceAll(CREDENTIAL, '[redacted]') : value;

/** The first characters of a text. It never ends with half a surrogate pair, which no store can keep. */
const cut = (value: string, max: number): string => value.slice(0, max).replace(/[\uD800-\uDBFF]$/, '');

/** Text for a message that is kept: credentials taken out, short enough to stay readable. */
export function redact(value: string, max = 200): string {
  // Cut first, because the search takes time for every character, but not so short that half a credential is left.
  const near = value.length <= max ? value : cut(value, max + MAX_CREDENTIAL_CHARACTERS);
  const clean = withoutCredentials(near);
  return clean.length <= max ? clean : `${cut(clean, max)}...`;
}
