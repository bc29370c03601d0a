/** A step of the schema, applied once, whole or not at all. Later steps expand first and contract a release later. */
export interface Migration {
  readonly name: string;
  readonly text: (types: ColumnTypes) => string;
}

/** What the databases call the kinds of columns. */
export interface ColumnTypes {
  /** Ordered by code point, so that the order of ids does not depend on the language of a server. */
  readonly text: string;
  readonly bigint: string;
}
