import { named } from './row-writes.ts';
import type { WriteSession } from './session.ts';
import { type Statement, statement } from './statement.ts';
import type { Tables } from './tables.ts';

/** A table of what is equal in many rows: they refer to it by its number. */
export interface Numbered<Row extends object> {
  readonly table: keyof Tables;
  readonly columns: readonly (keyof Row & string)[];
  readonly find: Statement<Row, { readonly id: number }>;
  readonly add: Statement<Row, { readonly id: number }>;
}

/** Its rows are these columns of text. A writer adds them who is alone, or holds the row that events are counted in. */
export function numbered<Row extends object>(
  table: keyof Tables,
  columns: readonly (keyof Row & string)[],
): Numbered<Row> {
  return {
    table,
    columns,
    find: statement(
      ({ text }) => `
        select id from ${table}
        where ${columns.map((name) => `${name} is not distinct from ${text(name)}`).join(' and ')} limit 1`,
    ),
    add: statement(`
      insert into ${table} (${named(columns)}) values (${columns.map((name) => `:${name}`).join(', ')}) returning id`),
  };
}

function isEqual<Row extends object>(columns: Numbered<Row>['columns'], a: Row, b: Row): boolean {
  for (const name of columns) if (a[name] !== b[name]) return false;
  return true;
}

/** The numbers of rows; adds the new rows. Columns that the table does not have are ignored. */
export async function numbersOf<Row extends object>(
  session: WriteSession,
  { table, columns, find, add }: Numbered<Row>,
  rows: readonly Row[],
): Promise<readonly number[]> {
  const asked = new Map<string, Promise<number>>();
  let [last, key]: [Row | undefined, string] = [undefined, ''];
  const keys = rows.map((row) => {
    // Most rows of a group are equal, and a key costs more than all other work on a row.
    if (last !== undefined && isEqual(columns, row, last)) return key;
    last = row;
    key = `${table} ${JSON.stringify(columns.map((name) => row[name]))}`;
    if (asked.has(key)) return key;
    const ask = async (): Promise<number> => {
      const found = (await session.get(find, row)) ?? (await session.returning(add, row));
      if (found === null) throw new Error(`A row of ${table} was not added.`);
      return found.id;
    };
    asked.set(key, session.rememberAlways(key, ask));
    return key;
  });
  const numbers = new Map<string, number>();
  for (const [key, number] of asked) numbers.set(key, await number);
  return keys.map((key) => numbers.get(key) ?? 0);
}
