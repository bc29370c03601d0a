import type { Page } from '#store/store';

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
