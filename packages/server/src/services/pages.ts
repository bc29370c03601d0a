import type { Page } from '#store/store';
import type { Cursors } from './cursors.ts';

export interface PageRequest {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface PageOf<Row> {
  readonly rows: readonly Row[];
  readonly next_cursor?: string;
}

interface List<Row> {
  /** Names the list and its owner: a cursor of another list is refused. */
  readonly name: string;
  readonly read: (page: Page) => Promise<readonly Row[]>;
  /** How many of the rows to show when nobody said how many. */
  readonly fitting?: (rows: readonly Row[]) => number;
}

const DEFAULT_LIMIT = 50;

/** Lists in parts: reads one row more than it shows, and says where the next part begins. */
export async function readPage<Row extends { readonly id: string }>(
  cursors: Cursors,
  { limit, cursor }: PageRequest,
  { name, read, fitting }: List<Row>,
): Promise<PageOf<Row>> {
  const after = cursor === undefined ? null : cursors.decode(name, cursor);
  const wanted = limit ?? DEFAULT_LIMIT;

  const rows = await read({ after, limit: wanted + 1 });

  const shown = Math.min(wanted, limit === undefined && fitting !== undefined ? fitting(rows) : rows.length);
  if (shown >= rows.length) return { rows };
  const part = rows.slice(0, shown);
  return { rows: part, next_cursor: cursors.encode(name, part.at(-1)?.id ?? '') };
}

/** The same for rows that were read whole: in the order of their ids, so that a row which is gone leaves no gap. */
export const pageOf = <Row extends { readonly id: string }>(
  cursors: Cursors,
  page: PageRequest,
  { name, rows }: { readonly name: string; readonly rows: readonly Row[] },
): Promise<PageOf<Row>> =>
  readPage(cursors, page, {
    name,
    read: async ({ after, limit }) =>
      rows
        .filter(({ id }) => after === null || id > after)
        .toSorted((a, b) => (a.id < b.id ? -1 : 1))
        .slice(0, limit),
  });
