import { type Statement, statement } from './statement.ts';
import type { Tables } from './tables.ts';

type Table = keyof Tables;
type Columns<Of extends Table> = readonly (keyof Tables[Of] & string)[];

/** The names of columns for `select`, with the table where several are asked. */
export const named = (columns: readonly string[], table?: string): string =>
  columns.map((name) => (table === undefined ? name : `${table}.${name}`)).join(', ');

const assigned = (columns: readonly string[], separator: string): string =>
  columns.map((name) => `${name} = :${name}`).join(separator);

const insertText = (table: Table, columns: readonly string[]): string =>
  `insert into ${table} (${named(columns)}) values (${columns.map((name) => `:${name}`).join(', ')})`;

/** Adds a row. */
export const insertion = <Of extends Table>(table: Of, columns: Columns<Of>): Statement<Tables[Of], never> =>
  statement(insertText(table, columns));

/** Writes these columns of the row with this key. */
export const change = <Of extends Table>(
  table: Of,
  key: Columns<Of>,
  columns: Columns<Of>,
): Statement<Tables[Of], never> =>
  statement(`update ${table} set ${assigned(columns, ', ')} where ${assigned(key, ' and ')}`);

/** Adds a row, or writes these columns of the row with this key. */
export const replacement = <Of extends Table>(
  table: Of,
  { key, columns, written = columns }: { key: Columns<Of>; columns: Columns<Of>; written?: Columns<Of> },
): Statement<Tables[Of], never> =>
  statement(`
    ${insertText(table, columns)}
    on conflict (${named(key)}) do update set ${written.map((name) => `${name} = excluded.${name}`).join(', ')}`);
