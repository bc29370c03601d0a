import { named } from './row-writes.ts';
import type { WriteSession } from './session.ts';
import { type Statement, statement } from './statement.ts';
import type { Tables } from './tables.ts';

/** A table of what is equal in many rows: they refer to it by its number. */
export interface Numbered<Row extends object> {
  readonly table: keyof Tables;
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
    find: statement(
      ({ text }) => `
        select id from ${table}
        where ${columns.map((name) => `${name} is not distinct from ${text(name)}`).join(' and ')} limit 1`,
    ),
    add: statement(`
      insert into ${table} (${named(columns)}) values (${columns.map((name) => `:${name}`).join(', ')}) returning id`),
  };
}

/** The numbers of rows; those that are new are added. */
export async function numbersOf<Row extends object>(
  session: WriteSession,
  { table, find, add }: Numbered<Row>,
  rows: readonly Row[],
): Promise<readonly number[]> {
  const asked = new Map<string, Promise<number>>();
  const keys = rows.map((row) => {
    const key = `${table} ${JSON.stringify(row)}`;
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
