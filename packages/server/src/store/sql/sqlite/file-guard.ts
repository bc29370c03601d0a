import { createFileGuard as guardFiles } from '@errand/tasks/sqlite/file-guard';
import type { ErrandError } from '#errors';
import { databaseReplaced } from '#store/sql/database-error';
import type { Health } from '#store/sql/health';
import { fromSqlite, isDamage } from './sqlite-errors.ts';

/** Checks that the files of an open database are still intact and in place. */
export interface FileGuard {
  /** Throws when the database is damaged, or when its path leads to other files than those that are open. */
  readonly assertSound: () => void;
  /** Translates a driver error, and remembers damage. */
  readonly translate: (error: unknown) => unknown;
  /** To be called after the database was closed. */
  readonly close: () => void;
}

export function createFileGuard(path: string, health: Pick<Health, 'failed'>): FileGuard {
  const files = guardFiles(path);
  let damage: ErrandError | undefined;

  return {
    assertSound: () => {
      if (damage !== undefined) throw damage;
      const loss = files.findLoss();
      if (loss !== null) throw databaseReplaced(loss);
    },
    close: files.close,
    translate: (error) => {
      const translated = fromSqlite(error);
      if (damage === undefined && isDamage(error)) {
        damage = translated as ErrandError; // What `isDamage` finds is translated to one.
        health.failed(damage);
      }
      return translated;
    },
  };
}

/** For a database in memory, which has no files. */
export const NO_FILES: FileGuard = { assertSound: () => {}, translate: fromSqlite, close: () => {} };
