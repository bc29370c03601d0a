import { DatabaseSync, type StatementSync } from 'node:sqlite';

const { prepare } = DatabaseSync.prototype;

/** Every statement that is prepared from now on passes through here. */
function intercept(change: (db: DatabaseSync, sql: string, statement: StatementSync) => void): void {
  DatabaseSync.prototype.prepare = function (sql, ...rest) {
    const statement = prepare.call(this, sql, ...rest);
    change(this, sql, statement);
    return statement;
  };
}

/** Faults that the proofs must find. Each is a plausible way to write the store wrong. */
export const PLANTS = {
  /** Leaves a commit in the memory of the machine, where only a power cut takes it away. */
  'no sync': (): void =>
    // The writing connection alone prepares this, after the program has seen that it syncs.
    intercept((db, sql) => {
      if (sql === 'begin immediate') db.exec('pragma synchronous = normal');
    }),

  /** Commits in the next turn, when the answer is on its way. */
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
