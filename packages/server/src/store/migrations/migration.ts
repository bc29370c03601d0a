import type { Dialect } from '#store/sql/dialect';

/** A migration, applied once, whole or not at all. Migrations expand the schema first and contract it a release later. */
export interface Migration {
  readonly name: string;
  readonly text: (types: ColumnTypes) => string;
  /** Afterwards the program rebuilds the search index of all items: only the program can compute the terms of a text. */
  readonly reindexes?: boolean;
  /** Afterwards the program gives a key to every project without one: only the program can make a key of a name. */
  readonly gives_keys?: boolean;
}

/** The column types of each database. */
export interface ColumnTypes {
  readonly dialect: Dialect;
  /** Ordered by code point, so that the order of ids does not depend on the server's locale. */
  readonly text: string;
  readonly bigint: string;
}
