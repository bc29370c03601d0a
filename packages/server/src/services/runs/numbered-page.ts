import type { Cursors } from '#services/cursors';
import { type PageOf, type PageRequest, readPage } from '#services/pages';
import type { NumberedPage } from '#store/store';

interface NumberedList<Row> {
  readonly name: string;
  readonly read: (page: NumberedPage) => Promise<readonly Row[]>;
}

/** Reads a page of a list with numbered rows. */
export async function numberedPage<Row extends { readonly seq: number }>(
  cursors: Cursors,
  page: PageRequest,
  { name, read }: NumberedList<Row>,
): Promise<PageOf<Row>> {
  const { rows, ...more } = await readPage(cursors, page, {
    name,
    read: async ({ after, limit }) => {
      const part = await read({ after: after === null ? 0 : Number(after), limit });
      return part.map((row) => ({ id: String(row.seq), row }));
    },
  });
  return { rows: rows.map(({ row }) => row), ...more };
}
