/**
 * How many characters an answer may take when the caller names no size. Clients cut answers after 4,000 characters
 * without saying so. A part of an answer leaves room for the other fields.
 */
export const ROOM = {
  /** A whole answer about one thing. */
  answer: 3_900,
  /** The rows of a page, without the cursor. */
  page: 3_600,
  /** One list of a project, without the project's fields and the cursor. */
  list: 3_400,
  /** The changes of an issue, without the issue itself. */
  beside_issue: 2_400,
} as const;

/** How many characters of an answer a value takes. */
export const jsonLength = (value: unknown): number => JSON.stringify(value).length;

/** How many of the first rows fit into this many characters of JSON. */
export function fitting(rows: readonly unknown[], characters: number): number {
  let taken = 0;
  for (const [index, row] of rows.entries()) {
    // The comma between two rows counts too.
    taken += jsonLength(row) + 1;
    if (taken > characters) return index;
  }
  return rows.length;
}

/** Shortens a text to at most this many characters of an answer. A cut is marked. */
export function shortText(text: string, characters: number): string {
  if (jsonLength(text) <= characters) return text;
  for (let size = Math.floor(characters) - 3; size > 0; size = Math.floor(size * 0.8)) {
    const short = `${text.slice(0, size).replace(/[\uD800-\uDBFF]$/, '')}…`;
    if (jsonLength(short) <= characters) return short;
  }
  return '';
}

/** Keeps the end of a text, at most this many characters of an answer. A cut is marked. */
export function shortEnd(text: string, characters: number): string {
  if (jsonLength(text) <= characters) return text;
  for (let size = Math.floor(characters) - 3; size > 0; size = Math.floor(size * 0.8)) {
    const short = `…${text.slice(-size).replace(/^[\uDC00-\uDFFF]/, '')}`;
    if (jsonLength(short) <= characters) return short;
  }
  return '';
}
