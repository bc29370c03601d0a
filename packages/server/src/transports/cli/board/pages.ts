interface Page {
  readonly next_cursor?: string | undefined;
}

interface PageInput {
  readonly limit: number;
  readonly cursor?: string;
}

const MAX_PAGE_ROWS = 200;

/** Collects all rows of a paged list. */
export async function everyRow<Answer extends Page, Row>(
  ask: (page: PageInput) => Promise<Answer>,
  rowsOf: (answer: Answer) => readonly Row[],
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let page: PageInput = { limit: MAX_PAGE_ROWS };
  for (;;) {
    const answer = await ask(page);
    rows.push(...rowsOf(answer));
    if (answer.next_cursor === undefined) return rows;
    page = { limit: MAX_PAGE_ROWS, cursor: answer.next_cursor };
  }
}
