import { stripVTControlCharacters } from 'node:util';

// Databases refuse the first of them, and terminals obey the others.
const CONTROL = /[\p{Cc}\u2028\u2029]/gu;

/** Words of an agent as they can be kept and shown: nothing in them steers a terminal. Line breaks and tabs stay. */
export const cleanText = (text: string): string =>
  stripVTControlCharacters(text)
    .replaceAll('\r\n', '\n')
    .replaceAll(CONTROL, (character) => (character === '\n' || character === '\t' ? character : ''))
    .toWellFormed();

/** As much of a text as fits; what is cut off leaves a mark. */
export const cutText = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1)}…`.toWellFormed();
