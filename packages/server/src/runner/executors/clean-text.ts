import { stripVTControlCharacters } from 'node:util';

// Databases refuse the first of them, and terminals execute the others.
const CONTROL = /[\p{Cc}\u2028\u2029]/gu;

/** Removes control characters from an agent's text, so that it is safe to store and show. Line breaks and tabs stay. */
export const cleanText = (text: string): string =>
  stripVTControlCharacters(text)
    .replaceAll('\r\n', '\n')
    .replaceAll(CONTROL, (character) => (character === '\n' || character === '\t' ? character : ''))
    .toWellFormed();

/** Cuts a text to a length. A cut is marked. */
export const cutText = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1)}…`.toWellFormed();
