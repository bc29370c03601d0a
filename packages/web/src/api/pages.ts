/** A list of a person's settings never needs more calls than this. */
const MAX_PAGES = 10;
export const PAGE_ROWS = 200;

/** The cursor of a first page: its type is that of the later ones too. */
export const firstCursor = (): string | null => null;

interface Page {
  readonly next_cursor?: string | undefined;
}

/** All rows of a list that comes in pages. */
export async function allPages<Answer extends Page, Row>(
  read: (cursor: { cursor?: string }) => Promise<Answer>,
  rowsOf: (answer: Answer) => readonly Row[],
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const answer = await read(cursor === undefined ? {} : { cursor });
    rows.push(...rowsOf(answer));
    cursor = answer.next_cursor;
    if (cursor === undefined) break;
  }
  return rows;
}
