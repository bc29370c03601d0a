/**
 * How many characters an answer that nobody sized may take, by what it is. Clients cut what is longer than 4,000,
 * and the end of it is lost without a word; a part leaves room for what stands around it.
 */
export const ROOM = {
  /** A whole answer about one thing. */
  answer: 3_900,
  /** The rows of a page: the cursor stands beside them. */
  page: 3_600,
  /** One list of a project: the project and a cursor stand beside it. */
  list: 3_400,
  /** What was changed of an issue: the issue itself stands beside it. */
  beside_issue: 2_400,
} as const;

/** How many characters of an answer a value takes. */
export const jsonLength = (value: unknown): number => JSON.stringify(value).length;

/** How many of the rows, from the first on, fit into so many characters as JSON. */
export function fitting(rows: readonly unknown[], characters: number): number {
  let taken = 0;
  for (const [index, row] of rows.entries()) {
    // The comma between two rows counts too.
    taken += jsonLength(row) + 1;
    if (taken > characters) return index;
  }
  return rows.length;
}

/** The beginning of a text that takes at most so many characters of an answer, or all of it; a cut shows. */
export function shortText(text: string, characters: number): string {
  if (jsonLength(text) <= characters) return text;
  for (let size = Math.floor(characters) - 3; size > 0; size = Math.floor(size * 0.8)) {
    const short = `${text.slice(0, size).replace(/[\uD800-\uDBFF]$/, '')}…`;
    if (jsonLength(short) <= characters) return short;
  }
  return '';
}
