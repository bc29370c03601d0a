import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Session, WriteSession } from '#store/sql/session';
import type { Statement } from '#store/sql/statement';
import { rowMaker } from './row-maker.ts';
import { fromSqlite } from './sqlite-errors.ts';

type AnyStatement = Statement<object, unknown>;

interface Prepared {
  readonly statement: StatementSync;
  /** The driver's row objects are slow to use (they have no hidden class). Arrays of values are not. */
  readonly toRow: (values: unknown) => Record<string, unknown>;
  readonly bind: (params: object) => (string | number | null)[];
}

/** Statements of one connection, each prepared once. */
export function createPrepared(db: DatabaseSync): (statement: AnyStatement) => Prepared {
  const kept = new Map<AnyStatement, Prepared>();

  return (statement) => {
    const known = kept.get(statement);
    if (known !== undefined) return known;
    const { text, bind } = statement.compile('sqlite');
    const made = db.prepare(text);
    made.setReturnArrays(true);
    const names = made.columns().map(({ name }) => name);
    // With `setReturnArrays` a row is a list with a value for each name.
    const toRow = rowMaker(names) as Prepared['toRow'];
    const prepared = { statement: made, bind, toRow };
    kept.set(statement, prepared);
    return prepared;
  };
}

export interface SqliteSession
  extends Session,
    Pick<WriteSession, 'run' | 'returning' | 'write' | 'gather' | 'insertAll'> {
  readonly writes: () => number;
}

/** `translate` turns driver errors into errors of Errand. */
export function createSqliteSession(db: DatabaseSync, translate = fromSqlite): SqliteSession {
  const prepared = createPrepared(db);
  let writes = 0;

  const change = (statement: AnyStatement, params: object): number => {
    writes += 1;
    try {
      const known = prepared(statement);
      return Number(known.statement.run(...known.bind(params)).changes);
    } catch (error) {
      throw translate(error);
    }
  };

  const one = (statement: AnyStatement, params: object): never => {
    try {
      const known = prepared(statement);
      // The driver has no row types. The statement's own type describes what its query selects.
      const values = known.statement.get(...known.bind(params));
      return (values === undefined ? null : known.toRow(values)) as never;
    } catch (error) {
      throw translate(error);
    }
  };

  return {
    writes: () => writes,
    get: async (statement, params) => one(statement, params),
    all: async (statement, params) => {
      try {
        const known = prepared(statement);
        // As in `one`.
        return known.statement.all(...known.bind(params)).map(known.toRow) as never;
      } catch (error) {
        throw translate(error);
      }
    },
    run: async (statement, params) => change(statement, params),
    returning: async (statement, params) => {
      writes += 1;
      return one(statement, params);
    },
    write: async (statement, params, check) => {
      const changes = change(statement, params);
      check?.(changes);
    },
    gather: async ({ alone, check }, row) => {
      let changes = 0;
      for (const one of alone) changes = change(one, row);
      check?.(changes, 1);
    },
    insertAll: async (insert, rows) => {
      for (const row of rows) change(insert.one, row);
    },
  };
}
