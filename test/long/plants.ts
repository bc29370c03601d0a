import { DatabaseSync, type StatementSync } from 'node:sqlite';

const { prepare } = DatabaseSync.prototype;

/** Intercepts every statement that is prepared from now on. */
function intercept(change: (db: DatabaseSync, sql: string, statement: StatementSync) => void): void {
  DatabaseSync.prototype.prepare = function (sql, ...rest) {
    const statement = prepare.call(this, sql, ...rest);
    change(this, sql, statement);
    return statement;
  };
}

/** Faults that the proofs must detect. Each is a plausible mistake in the store. */
export const PLANTS = {
  /** Leaves a commit in the page cache, where only a power cut loses it. */
  'no sync': (): void =>
    // Only the writing connection prepares this, after the program has checked that it syncs.
    intercept((db, sql) => {
      if (sql === 'begin immediate') db.exec('pragma synchronous = normal');
    }),

  /** Commits in the next turn, after the answer was sent. */
  'late commit': (): void => {
    let commitNow = (): void => {};
    intercept((_, sql, statement) => {
      const run = statement.run.bind(statement);
      if (sql === 'begin immediate') {
        statement.run = () => {
          commitNow();
          return run();
        };
      }
      if (sql === 'commit') {
        statement.run = () => {
          commitNow = () => {
            commitNow = () => {};
            run();
          };
          setTimeout(() => commitNow(), 1);
          return { changes: 0, lastInsertRowid: 0 };
        };
      }
    });
  },
} as const;

export type Plant = keyof typeof PLANTS;
