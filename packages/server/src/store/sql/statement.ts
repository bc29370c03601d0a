import { type Dialect, WORDS, type Words } from './dialect.ts';
import type { Tables } from './tables.ts';

export type SqlValue = string | number | null;

interface Compiled {
  /** Unique in the process: Postgres keeps prepared statements by name. */
  readonly name: string;
  readonly text: string;
  /** The parameters in the order of the placeholders. */
  readonly bind: (params: object) => SqlValue[];
}

/** A query that is written once, and compiled once for each database that runs it. */
export interface Statement<Params extends object, Row> {
  readonly compile: (dialect: Dialect) => Compiled;
  /** The one database that runs it; undefined for both. */
  readonly only: Dialect | undefined;
  /** Never set: they carry the types from the query to the code that runs it. */
  readonly params?: Params;
  readonly row?: Row;
}

/** One row of a table, or many at once. */
export interface BulkInsert<Row extends object> {
  readonly one: Statement<Row, never>;
  /** Takes the rows as one JSON array: on Postgres each statement is a message. */
  readonly many: Statement<{ readonly rows: string }, never>;
}

/** Rows that a group of transactions adds: one at a time on SQLite, all of the group in one statement on Postgres. */
export interface Batch<Row extends object> {
  /** The statements that write one row, in this order. */
  readonly alone: readonly Statement<Row, never>[];
  /** The same in one statement, for Postgres, where each is a message. */
  readonly single?: Statement<Row, never> | undefined;
  /** Takes the rows as one JSON array. */
  readonly many: Statement<{ readonly rows: string }, never>;
  /** Throws when fewer rows were written than given. On PostgreSQL the statements divide by zero then. */
  readonly check?: ((changes: number, rows: number) => void) | undefined;
  /** The order in which rows are written, where it matters: two writers of the same rows must wait in one order. */
  readonly order?: ((row: Row) => string) | undefined;
}

/** The rows of a parameter `rows` as a table for `from`, with the number of each as `place`. */
export const rowsOf = (columns: Readonly<Record<string, string>>): string => {
  const types = Object.entries(columns).map(([name, type]) => `${name} ${type}`);
  return `rows from (json_to_recordset(:rows::json) as (${types.join(', ')}))
    with ordinality as rows (${Object.keys(columns).join(', ')}, place)`;
};

/** Every statement of the program. Texts are not checked by the compiler: a test prepares each on both databases. */
export const STATEMENTS: Statement<object, unknown>[] = [];

let count = 0;

function compiled(text: string, dialect: Dialect): Compiled {
  const names: string[] = [];
  const placed = text.replaceAll(/(?<!:):([a-z_]+)/g, (_, name: string) => {
    names.push(name);
    return dialect === 'sqlite' ? '?' : `$${names.length}`;
  });
  count += 1;
  return {
    name: `errand_${count}`,
    text: placed,
    bind: (params) => {
      // Columns hold nothing but these values.
      const values = params as Record<string, SqlValue | undefined>;
      return names.map((name) => {
        const value = values[name];
        // The driver of Postgres would write null.
        if (value === undefined) throw new Error(`The parameter ${name} of a statement was not given.`);
        return value;
      });
    },
  };
}

/**
 * The one way to write a query: its SQL, with `:name` where the parameter `name` goes. Where the databases differ, the
 * text is a function of `Words`. Statements are made when their file is loaded, never for each call.
 */
export function statement<Params extends object, Row>(
  text: string | ((words: Words) => string),
  only?: Dialect,
): Statement<Params, Row> {
  const done: Partial<Record<Dialect, Compiled>> = {};
  const made: Statement<Params, Row> = {
    only,
    compile: (dialect) => {
      if (only !== undefined && only !== dialect) throw new Error(`This statement is written for ${only}.`);
      done[dialect] ??= compiled(typeof text === 'string' ? text : text(WORDS[dialect]), dialect);
      return done[dialect];
    },
  };
  STATEMENTS.push(made);
  return made;
}

type Parts = Readonly<Record<string, Statement<object, unknown>>>;
type ParamsOf<Part> = Part extends Statement<infer Params extends object, unknown> ? Params : never;
type RowOf<Part> = Part extends Statement<object, infer Row> ? Row : never;

/** What each of the parts has found. */
export type Found<Some extends Parts> = { readonly [Name in keyof Some]: readonly RowOf<Some[Name]>[] };

/** Queries of PostgreSQL as one, which costs one message: a row with the list of what each has found, as JSON has it. */
export function together<Some extends Parts>(
  parts: Some,
): Statement<{ readonly [Name in keyof Some]: ParamsOf<Some[Name]> }, Found<Some>> {
  let done: Compiled | undefined;
  const made: Statement<object, never> = {
    only: 'postgres',
    compile: (dialect) => {
      if (dialect !== 'postgres') throw new Error('These statements are written for postgres.');
      if (done !== undefined) return done;
      const all = Object.entries(parts).map(([name, part]) => ({ ...part.compile(dialect), name }));
      let placed = 0;
      const lists = all.map(({ name, text }) => {
        const before = placed;
        const shifted = text.replaceAll(/\$(\d+)/g, (_, place: string) => {
          placed = Math.max(placed, before + Number(place));
          return `$${before + Number(place)}`;
        });
        return `(select coalesce(json_agg(found), '[]') from (${shifted}) as found) as ${name}`;
      });
      count += 1;
      // The parameters of each part are under its name.
      const given = (params: object, name: string): object => (params as Record<string, object>)[name] ?? {};
      done = {
        name: `errand_${count}`,
        text: `select ${lists.join(', ')}`,
        bind: (params) => all.flatMap(({ name, bind }) => bind(given(params, name))),
      };
      return done;
    },
  };
  STATEMENTS.push(made);
  return made as ReturnType<typeof together<Some>>;
}

/** The type of a column. UUIDs and digests are stored as bytes, and are texts here. */
type ColumnType = 'text' | 'bigint' | 'uuid' | 'digest';

/** Inserts rows of a table; `columns` names each with its type. */
export function bulkInsert<Row extends object>(
  table: keyof Tables,
  columns: Readonly<Record<keyof Row & string, ColumnType>>,
): BulkInsert<Row> {
  const fields: readonly (readonly [string, ColumnType])[] = Object.entries(columns);
  const list = fields.map(([name]) => name).join(', ');
  const given = fields.map(([name, type]) => `${name} ${type === 'digest' ? 'text' : type}`).join(', ');
  const kept = fields.map(([name, type]) => (type === 'digest' ? `decode(${name}, 'hex')` : name)).join(', ');
  const value = ({ uuid, digest }: Words, [name, type]: readonly [string, ColumnType]): string => {
    if (type === 'uuid') return uuid(name);
    return type === 'digest' ? digest(name) : `:${name}`;
  };

  return {
    one: statement(
      (words) => `insert into ${table} (${list}) values (${fields.map((field) => value(words, field)).join(', ')})`,
    ),
    many: statement(
      `insert into ${table} (${list}) select ${kept} from json_to_recordset(:rows::json) as rows (${given})`,
      'postgres',
    ),
  };
}
