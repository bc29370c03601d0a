import { jsonLength, ROOM, shortText } from '#domain/answer-size';
import type { TodoRow } from '#domain/work-item';

/** The length of a row without its title and description. */
const ROW_CHARACTERS = 100;

/** The least that is left of a description: enough to recognise it. */
const MIN_DESCRIPTION_CHARACTERS = 40;

/** The limit of an answer whose limit the caller gave: most clients show that much. */
const MAX_SIZED_CHARACTERS = 11_600;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what takes more room in JSON
const ESCAPED = /["\\\0-\x1f]/;

/** The length of a text in an answer. Lists are too frequent to write each row as JSON for this. */
const written = (text: string): number => (ESCAPED.test(text) ? jsonLength(text) : text.length);

const roomFor = (isSized: boolean): number => (isSized ? MAX_SIZED_CHARACTERS : ROOM.page);

/** The length of a row whose description is cut to `most` characters. */
const rowLength = ({ title, description }: TodoRow, most: number): number =>
  ROW_CHARACTERS + written(title) + (description === null ? 0 : Math.min(written(description), most));

/** How many of the rows fit into an answer, at least one. Descriptions are cut before rows are left out. */
export function fittingTodos(rows: readonly TodoRow[], isSized: boolean): number {
  let left = roomFor(isSized);
  for (const [index, row] of rows.entries()) {
    left -= rowLength(row, MIN_DESCRIPTION_CHARACTERS);
    if (left < 0 && index > 0) return index;
  }
  return rows.length;
}

const fits = (rows: readonly TodoRow[], { most, room }: { readonly most: number; readonly room: number }): boolean => {
  let left = room;
  for (const row of rows) {
    left -= rowLength(row, most);
    if (left < 0) return false;
  }
  return true;
};

/** The longest length for all descriptions at which the rows fit; null when none must be cut. */
function longestFitting(rows: readonly TodoRow[], room: number): number | null {
  if (fits(rows, { most: Number.POSITIVE_INFINITY, room })) return null;
  let [shortest, longest] = [MIN_DESCRIPTION_CHARACTERS, room];
  while (longest - shortest > 1) {
    const middle = Math.floor((shortest + longest) / 2);
    if (fits(rows, { most: middle, room })) shortest = middle;
    else longest = middle;
  }
  return shortest;
}

/** Returns the rows with descriptions that fit the answer; a cut one ends with "…". */
export function shortenTodos(
  rows: readonly TodoRow[],
  isSized: boolean,
): { readonly rows: readonly TodoRow[]; readonly isCut: boolean } {
  const most = longestFitting(rows, roomFor(isSized));
  if (most === null) return { rows, isCut: false };
  return {
    rows: rows.map((row) =>
      row.description === null ? row : { ...row, description: shortText(row.description, most) },
    ),
    isCut: true,
  };
}
