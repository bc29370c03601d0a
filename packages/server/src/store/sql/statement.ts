import {
  type Compilable,
  DummyDriver,
  type Expression,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import type { Tables } from './tables.ts';

export type Dialect = 'sqlite' | 'postgres';
export type SqlValue = string | number | null;

interface Compiled {
  /** Unique in the process: a server keeps prepared statements by name. */
  readonly name: string;
  readonly text: string;
  /** The parameters in the order of the placeholders. */
  readonly bind: (params: object) => SqlValue[];
}

/** A query that is built once, and compiled once for each dialect that runs it. */
export interface Statement<Params extends object, Row> {
  readonly compile: (dialect: Dialect) => Compiled;
  /** Never set: they carry the types from the query to whoever runs it. */
  readonly params?: Params;
  readonly row?: Row;
}

/** One row of a table, or many at once. */
export interface BulkInsert<Row extends object> {
  readonly one: Statement<Row, never>;
  /** Takes the rows as one JSON array; for a server, where each statement is a message. */
  readonly many: Statement<{ readonly rows: string }, never>;
}

class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

type Place<Params> = <Name extends keyof Params & string>(name: Name) => Expression<Params[Name]>;

const BUILDERS: Readonly<Record<Dialect, Kysely<Tables>>> = {
  sqlite: new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  }),
  postgres: new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  }),
};

let count = 0;

function compiled(text: string, slots: readonly unknown[]): Compiled {
  count += 1;
  const bind = (params: object): SqlValue[] => {
    // The type of a statement's parameters holds every name of its slots, and columns hold nothing but these values.
    const values = params as Record<string, SqlValue>;
    return slots.map((slot) => (slot instanceof Placeholder ? values[slot.name] : slot) as SqlValue);
  };
  return { name: `errand_${count}`, text, bind };
}

function oncePerDialect<Params extends object, Row>(compile: (dialect: Dialect) => Compiled): Statement<Params, Row> {
  const done: Partial<Record<Dialect, Compiled>> = {};
  return {
    compile: (dialect) => {
      done[dialect] ??= compile(dialect);
      return done[dialect];
    },
  };
}

/** A query in the words of the builder; `place('name')` stands where the parameter `name` goes. */
export const statement =
  <Params extends object>() =>
  <Row>(build: (tables: Kysely<Tables>, place: Place<Params>) => Compilable<Row>): Statement<Params, Row> =>
    oncePerDialect((dialect) => {
      const { sql: text, parameters } = build(BUILDERS[dialect], (name) =>
        sql.val<never>(new Placeholder(name) as never),
      ).compile();
      return compiled(text, parameters);
    });

/** A query in plain words, one text or one for each dialect that runs it, with `:name` where the parameter `name` goes. */
export const plainStatement = <Params extends object, Row>(
  texts: string | Readonly<Partial<Record<Dialect, string>>>,
): Statement<Params, Row> =>
  oncePerDialect((dialect) => {
    const slots: Placeholder[] = [];
    const words = typeof texts === 'string' ? texts : texts[dialect];
    if (words === undefined) throw new Error(`No words for ${dialect}.`);
    const text = words.replaceAll(/(?<!:):([a-z_]+)/g, (_, name: string) => {
      slots.push(new Placeholder(name));
      return dialect === 'sqlite' ? '?' : `$${slots.length}`;
    });
    return compiled(text, slots);
  });

/** Inserts rows of a table; `columns` names each with its type. */
export function bulkInsert<Row extends object>(
  table: keyof Tables,
  columns: Readonly<Record<keyof Row & string, 'text' | 'bigint'>>,
): BulkInsert<Row> {
  const names = Object.keys(columns)
    .map((name) => `"${name}"`)
    .join(', ');
  const places = Object.keys(columns)
    .map((name) => `:${name}`)
    .join(', ');
  const types = Object.entries(columns)
    .map(([name, type]) => `"${name}" ${type}`)
    .join(', ');
  const one = `insert into ${table} (${names}) values (${places})`;
  const array = `insert into ${table} (${names}) select ${names} from json_to_recordset(:rows::json) as rows (${types})`;

  return { one: plainStatement(one), many: plainStatement({ postgres: array }) };
}
