import { fitting, ROOM } from '#domain/answer-size';
import type { Page } from '#store/store';
import type { Cursors } from './cursors.ts';

export interface PageRequest {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface PageOf<Row> {
  readonly rows: readonly Row[];
  readonly next_cursor?: string;
  /** How many rows follow, as far as they were counted; with `next_cursor` only. */
  readonly remaining?: number;
  /** Says how many rows follow and how to get them. */
  readonly hint?: string;
}

interface List<Row> {
  /** Names the list and its owner, so that the cursor of another list is refused. */
  readonly name: string;
  readonly read: (page: Page) => Promise<readonly Row[]>;
  /** How many of the rows to show; `isSized` when the caller gave a limit. By default all that were asked for. */
  readonly fitting?: (rows: readonly Row[], isSized: boolean) => number;
  /** How many rows follow this one, the last of so many shown. Without it, only the rows that were read are counted. */
  readonly count?: (after: string, shown: number) => Promise<number>;
}

const DEFAULT_LIMIT = 50;

/** How many rows fit into a short answer, at least one. A stored row is never shorter than the shown one. */
export const fittingRows = (placed: readonly { readonly row: unknown }[]): number =>
  Math.max(
    1,
    fitting(
      placed.map(({ row }) => row),
      ROOM.page,
    ),
  );

/** Cuts the rows to a short answer, unless the caller gave a limit. */
export const unlessSized =
  <Row>(fitting: (rows: readonly Row[]) => number) =>
  (rows: readonly Row[], isSized: boolean): number =>
    isSized ? rows.length : fitting(rows);

/** Reads a page, with the number of further rows and the cursor. One row more is read, to know whether more follow. */
export async function readPage<Row extends { readonly id: string }>(
  cursors: Cursors,
  { limit, cursor }: PageRequest,
  { name, read, fitting, count }: List<Row>,
): Promise<PageOf<Row>> {
  const after = cursor === undefined ? null : cursors.decode(name, cursor);
  const wanted = limit ?? DEFAULT_LIMIT;

  const rows = await read({ after, limit: wanted + 1 });

  const shown = Math.min(wanted, fitting?.(rows, limit !== undefined) ?? rows.length);
  if (shown >= rows.length) return { rows };
  const part = rows.slice(0, shown);
  const last = part.at(-1)?.id ?? '';
  const remaining = (await count?.(last, shown)) ?? rows.length - shown;
  // The one row beyond the limit says that there are more, not how many.
  const isExact = count !== undefined || rows.length <= wanted;
  return {
    rows: part,
    next_cursor: cursors.encode(name, last),
    remaining,
    hint: `${isExact ? '' : 'At least '}${remaining} more: pass next_cursor as cursor.`,
  };
}

/** The same for rows that were all read, sorted by id: a row that was removed leaves no gap. */
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
