import type { DatabaseSync } from 'node:sqlite';
import type { LocalClock } from '#stores/clock';
import { createTurn, type Work } from '#stores/turn';
import { fromSqlite, whenFree } from './sqlite-errors.ts';
import type { Statements } from './statements.ts';

interface SqliteWork extends Work {
  /** Runs the write. Returns a function that is called after the commit and reports the success. */
  readonly run: (now: number) => () => void;
}

export interface CommitGroup {
  /**
   * Runs a write in a transaction that it may share with others. Resolves when the commit is on disk; rejects when the
   * files of the database were removed.
   */
  readonly write: <T>(bytes: number, run: (now: number) => T) => Promise<T>;
  readonly close: () => Promise<void>;
}

export interface CommitGroupParts {
  readonly db: DatabaseSync;
  readonly sql: Statements;
  readonly clock: LocalClock;
  /** Throws when a commit would go to files that were removed or replaced. */
  readonly assertFiles: () => void;
}

/** Groups all writes of one turn of the event loop into one commit, which costs far more than the writes. */
export function createCommitGroup({ db, sql, clock, assertFiles }: CommitGroupParts): CommitGroup {
  const attempt = (work: SqliteWork, now: number): (() => void) => {
    try {
      return work.run(now);
    } catch (error) {
      // A full disk rolls the whole transaction back, not only the statement.
      if (!db.isTransaction) throw error;
      return () => work.reject(fromSqlite(error));
    }
  };

  async function run(works: readonly SqliteWork[]): Promise<void> {
    assertFiles();
    await whenFree(() => sql.begin());
    // No await from here to the commit: reads on this connection must not see uncommitted changes.
    try {
      clock.catchUp(sql.tick(clock.now()));
      const now = clock.now();
      const settles = works.map((work) => attempt(work, now));
      sql.commit();
      // Check before answering: a change in a file that was removed is lost at the next start.
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
