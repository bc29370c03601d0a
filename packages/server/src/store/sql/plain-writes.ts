import { plainStatement, type Statement } from './statement.ts';
import type { Tables } from './tables.ts';

type Columns<Row> = readonly (keyof Row & string)[];

const assigned = (columns: readonly string[], separator: string): string =>
  columns.map((name) => `${name} = :${name}`).join(separator);

const insertText = (table: keyof Tables, columns: readonly string[]): string =>
  `insert into ${table} (${columns.join(', ')}) values (${columns.map((name) => `:${name}`).join(', ')})`;

/** Adds a row. */
export const insertion = <Row extends object>(table: keyof Tables, columns: Columns<Row>): Statement<Row, never> =>
  plainStatement(insertText(table, columns));

/** Writes these columns of the row with this key. */
export const change = <Row extends object>(
  table: keyof Tables,
  key: Columns<Row>,
  columns: Columns<Row>,
): Statement<Row, never> =>
  plainStatement(`update ${table} set ${assigned(columns, ', ')} where ${assigned(key, ' and ')}`);

/** Adds a row, or writes every column of the one that is there. */
export const replacement = <Row extends object>(
  table: keyof Tables,
  key: keyof Row & string,
  columns: Columns<Row>,
): Statement<Row, never> =>
  plainStatement(`
    ${insertText(table, columns)}
    on conflict (${key}) do update set ${columns.map((name) => `${name} = excluded.${name}`).join(', ')}`);
