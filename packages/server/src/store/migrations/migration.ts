import type { Dialect } from '#store/sql/words';

/** A step of the schema, applied once, whole or not at all. Later steps expand first and contract a release later. */
export interface Migration {
  readonly name: string;
  readonly text: (types: ColumnTypes) => string;
  /** After it, every work item is indexed for search anew: only the program knows what the terms of a text are. */
  readonly reindexes?: boolean;
}

/** What the databases call the kinds of columns. */
export interface ColumnTypes {
  readonly dialect: Dialect;
  /** Ordered by code point, so that the order of ids does not depend on the language of a server. */
  readonly text: string;
  readonly bigint: string;
}
