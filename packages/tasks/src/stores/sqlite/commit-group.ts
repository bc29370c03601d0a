import type { DatabaseSync } from 'node:sqlite';
import type { LocalClock } from '#stores/clock';
import { createTurn, type Work } from '#stores/turn';
import { fromSqlite, whenFree } from './sqlite-errors.ts';
import type { Statements } from './statements.ts';

interface SqliteWork extends Work {
  /** Writes, and returns how to tell that it did; told after the commit. */
  readonly run: (now: number) => () => void;
}

export interface CommitGroup {
  /**
   * Runs in a transaction that it may share with others. Resolves when that is on the disk, and rejects when the files
   * of the database were taken away.
   */
  readonly write: <T>(bytes: number, run: (now: number) => T) => Promise<T>;
  readonly close: () => Promise<void>;
}

export interface CommitGroupParts {
  readonly db: DatabaseSync;
  readonly sql: Statements;
  readonly clock: LocalClock;
  /** Throws when a commit would reach files that nobody finds again. */
  readonly assertFiles: () => void;
}

/** Writes of one turn of the event loop share a commit: it costs far more than the writes. */
export function createCommitGroup({ db, sql, clock, assertFiles }: CommitGroupParts): CommitGroup {
  const attempt = (work: SqliteWork, now: number): (() => void) => {
    try {
      return work.run(now);
    } catch (error) {
      // A full disk ends the whole transaction, not only the statement.
      if (!db.isTransaction) throw error;
      return () => work.reject(fromSqlite(error));
    }
  };

  async function run(works: readonly SqliteWork[]): Promise<void> {
    assertFiles();
    await whenFree(() => sql.begin());
    // From here to the commit nothing waits: reads on this connection must not see what is not committed.
    try {
      clock.catchUp(sql.tick(clock.now()));
      const now = clock.now();
      const settles = works.map((work) => attempt(work, now));
      sql.commit();
      // Before the answers: a change in a file that was removed is gone after the next start.
      assertFiles();
      for (const settle of settles) settle();
    } catch (error) {
      if (db.isTransaction) sql.rollback();
      throw fromSqlite(error);
    }
  }

  const turn = createTurn({ run, lanes: 1 });

  return {
    write: (bytes, write) =>
      new Promise((resolve, reject) => {
        const settle = (now: number) => {
          const value = write(now);
          return () => resolve(value);
        };
        turn.add({ bytes, reject, run: settle });
      }),
    close: turn.close,
  };
}
