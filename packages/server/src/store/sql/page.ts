import type { Page } from '#store/store';
import type { Words } from './dialect.ts';
import { type Statement, statement } from './statement.ts';

/** A page as the parameters of a statement. */
export interface Position<Id extends string> {
  readonly after: Id;
  readonly limit: number;
}

// Ids are made of hexadecimal digits and dashes: these two sort before and after all of them.
const BEFORE_ALL = '';
export const AFTER_ALL = '~';

/** Ends a query. With a bare parameter SQLite would plan for its value, and so prepare the query at every execution. */
export const LIMIT = 'limit :limit + 0';

/** The rows of a page where the caller names no number, and the one after it, which says whether more follow. */
const USUAL = 51;

/** The most rows of a statement, where it is written for few; null for any number. */
export type Most = number | null;

/**
 * A list with a statement of its own for each of these numbers of rows, and one for more. What Postgres does not know when
 * it plans, it takes for a tenth of all: the plan of a page among a million tasks would be one for a hundred thousand
 * rows, so it plans the page again at each call, which takes longer than reading it. SQLite has no such plans.
 */
export function inSizes<Params extends object, Row>(
  text: (words: Words, most: Most) => string,
  sizes: readonly number[] = [USUAL],
): (rows: number) => Statement<Params, Row> {
  const any = statement<Params, Row>((words) => text(words, null));
  const small = sizes.map((most) => ({
    most,
    made: statement<Params, Row>((words) => text(words, words.dialect === 'postgres' ? most : null)),
  }));
  return (rows) => small.find(({ most }) => rows <= most)?.made ?? any;
}

interface ById {
  /** The column of the ids, with its table. */
  readonly id: string;
  readonly order: 'asc' | 'desc';
  readonly most: Most;
}

/** A page of a query in the order of its ids. */
export const pageById = (query: string, { id, order, most }: ById): string =>
  most === null
    ? `${query} order by ${id} ${order} ${LIMIT}`
    : `select * from (${query} order by ${id} ${order} limit ${most}) as page order by page.id ${order} ${LIMIT}`;

// The casts are safe: the id in a page cursor is an id of that list.
export const fromStart = <Id extends string>({ after, limit }: Page): Position<Id> => ({
  after: (after ?? BEFORE_ALL) as Id,
  limit,
});

// As above.
export const fromEnd = <Id extends string>({ after, limit }: Page): Position<Id> => ({
  after: (after ?? AFTER_ALL) as Id,
  limit,
});
