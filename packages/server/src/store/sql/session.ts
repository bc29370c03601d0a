import type { BulkInsert, Statement } from './statement.ts';

/** Runs statements on one connection. Its errors are those of the product: drivers stay behind it. */
export interface Session {
  readonly get: <Params extends object, Row>(statement: Statement<Params, Row>, params: Params) => Promise<Row | null>;
  readonly all: <Params extends object, Row>(
    statement: Statement<Params, Row>,
    params: Params,
  ) => Promise<readonly Row[]>;
}

/** The connection that writes, while it holds the lock that all writers share. */
export interface WriteSession extends Session {
  /** The store's clock when the lock was taken. */
  readonly now: number;
  /** How many rows it changed. */
  readonly run: <Params extends object>(statement: Statement<Params, unknown>, params: Params) => Promise<number>;
  /** Writes, and answers with the row that the statement returns; null when it wrote none. */
  readonly returning: <Params extends object, Row>(
    statement: Statement<Params, Row>,
    params: Params,
  ) => Promise<Row | null>;
  /**
   * Writes without waiting for the answer, where waiting costs a round trip: a failure may show only when the work
   * ends. `check` may refuse the number of rows that were changed.
   */
  readonly write: <Params extends object>(
    statement: Statement<Params, unknown>,
    params: Params,
    check?: (changes: number) => void,
  ) => Promise<void>;
  readonly insertAll: <Row extends object>(insert: BulkInsert<Row>, rows: readonly Row[]) => Promise<void>;
  /** Keeps an answer for as long as the lock is held and `accessChanged` is not called. */
  readonly remember: <T>(key: string, ask: () => Promise<T>) => Promise<T>;
  /** Says that users, tokens or projects have changed: nothing remembered about them may be used any more. */
  readonly accessChanged: () => void;
}

/** One database transaction that many works share. */
export interface GroupSession extends WriteSession {
  /** How many writes it was asked for since the group began. */
  readonly writes: number;
  /** A point that `undo` can come back to. */
  readonly mark: () => Promise<void>;
  /** Everything since the mark is kept; rejects when any of it failed. */
  readonly keep: () => Promise<void>;
  /** Takes back everything since the mark. Rejects when the whole group is lost. */
  readonly undo: () => Promise<void>;
  /** Waits for every write that was sent; rejects when one of them failed. */
  readonly settle: () => Promise<void>;
  readonly commit: () => Promise<void>;
  /** Never rejects: a connection that cannot roll back is given up. */
  readonly rollback: () => Promise<void>;
}
