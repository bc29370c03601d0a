import { statSync } from 'node:fs';
import type { ErrandError } from '#errors';
import { databaseReplaced } from '#store/sql/database-error';
import type { Health } from '#store/sql/health';
import { fromSqlite, isDamage } from './sqlite-errors.ts';

/** Knows whether the files of an open database can still be trusted with a change. */
export interface FileGuard {
  /** Throws when the database was found damaged, or when its path leads to other files than those that are open. */
  readonly assertSound: () => void;
  /** The driver's error in the words of the product; damage is remembered. */
  readonly translate: (error: unknown) => unknown;
}

/** Without the log or its index, changes of this process and of others would part. */
const FILES = ['', '-wal', '-shm'] as const;

const identityOf = (file: string): string | null => {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? null : `${found.dev}:${found.ino}`;
};

/** Guards the database that is open at this path: SQLite itself goes on writing to files that were removed. */
export function createFileGuard(path: string, health: Pick<Health, 'failed'>): FileGuard {
  const opened = FILES.map((suffix) => ({ file: path + suffix, identity: identityOf(path + suffix) }));
  let damage: ErrandError | undefined;

  return {
    assertSound: () => {
      if (damage !== undefined) throw damage;
      for (const { file, identity } of opened) {
        const now = identityOf(file);
        if (now === identity) continue;
        throw databaseReplaced(new Error(`${file} ${now === null ? 'is gone' : 'is another file'}.`));
      }
    },
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
export const NO_FILES: FileGuard = { assertSound: () => {}, translate: fromSqlite };
