import type { Batch, BulkInsert, Statement } from './statement.ts';

/** Runs statements on one connection. Driver errors are translated to errors of Errand. */
export interface Session {
  readonly get: <Params extends object, Row>(statement: Statement<Params, Row>, params: Params) => Promise<Row | null>;
  readonly all: <Params extends object, Row>(
    statement: Statement<Params, Row>,
    params: Params,
  ) => Promise<readonly Row[]>;
}

/** The connection that writes, while it holds the lock of all writers, or those of the lanes that it writes in. */
export interface WriteSession extends Session {
  /** The store's clock when the lock was taken. */
  readonly now: number;
  /** How many rows it changed. */
  readonly run: <Params extends object>(statement: Statement<Params, unknown>, params: Params) => Promise<number>;
  /** Writes, and resolves with the row that the statement returns; null when it wrote none. */
  readonly returning: <Params extends object, Row>(
    statement: Statement<Params, Row>,
    params: Params,
  ) => Promise<Row | null>;
  /**
   * Writes without waiting for the answer, which would cost a round trip. A failure may appear only when the work
   * ends. `check` can refuse the number of changed rows.
   */
  readonly write: <Params extends object>(
    statement: Statement<Params, unknown>,
    params: Params,
    check?: (changes: number) => void,
  ) => Promise<void>;
  readonly insertAll: <Row extends object>(insert: BulkInsert<Row>, rows: readonly Row[]) => Promise<void>;
  /** Adds a row with others of the group: they are sent together, before the next statement that is not such a row. */
  readonly gather: <Row extends object>(batch: Batch<Row>, row: Row) => Promise<void>;
  /** Caches an answer until `accessChanged` is called, or another process may have changed something. */
  readonly remember: <T>(key: string, ask: () => Promise<T>) => Promise<T>;
  /** Caches what never changes, until a transaction that may have added it is taken back. */
  readonly rememberAlways: <T>(key: string, ask: () => Promise<T>) => Promise<T>;
  /** Takes what was read for all works of the group at once; undefined when it was not read, or is taken. */
  readonly take: <T>(name: string) => T | undefined;
  /** Users, tokens or projects change: drop everything that is cached about them. Throws in a lane, where they stand still. */
  readonly accessChanged: () => void;
}

/** One database transaction that is shared by many units of work. */
export interface GroupSession extends WriteSession {
  /** The number of writes since the group began. */
  readonly writes: number;
  /** A savepoint for `undo`. */
  readonly mark: () => Promise<void>;
  /** Keeps everything since the savepoint. Rejects when any of it failed. */
  readonly keep: () => Promise<void>;
  /** Rolls back to the savepoint. Rejects when the whole group is lost. */
  readonly undo: () => Promise<void>;
  /** Waits for all writes. Rejects when one of them failed. */
  readonly settle: () => Promise<void>;
  readonly commit: () => Promise<void>;
  /** Never rejects: a connection that cannot roll back is closed. */
  readonly rollback: () => Promise<void>;
}
