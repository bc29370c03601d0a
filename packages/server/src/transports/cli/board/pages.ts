interface Page {
  readonly next_cursor?: string | undefined;
}

interface PageInput {
  readonly limit: number;
  readonly cursor?: string;
}

const LIMIT = 200;

/** Collects all rows of a paged list. */
export async function everyRow<Answer extends Page, Row>(
  ask: (page: PageInput) => Promise<Answer>,
  rowsOf: (answer: Answer) => readonly Row[],
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let page: PageInput = { limit: LIMIT };
  for (;;) {
    const answer = await ask(page);
    rows.push(...rowsOf(answer));
    if (answer.next_cursor === undefined) return rows;
    page = { limit: LIMIT, cursor: answer.next_cursor };
  }
}
