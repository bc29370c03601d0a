import { closeSync, openSync, readSync, statSync } from 'node:fs';
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
  /** To be called after the database was closed. */
  readonly close: () => void;
}

/** Without the log or its index, changes of this process and of others would part. */
const FILES = ['', '-wal', '-shm'] as const;

const identityOf = (file: string): string | null => {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? null : `${found.dev}:${found.ino}`;
};

const WAL_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const INDEX_HEADER_BYTES = 24;

/**
 * How long the write-ahead log must be at least, by the header of its index: the number of its frames is written only
 * after the frames, and set to zero before SQLite itself cuts the log.
 */
function walBytes(index: number): number {
  const header = Buffer.alloc(INDEX_HEADER_BYTES);
  if (readSync(index, header, 0, INDEX_HEADER_BYTES, 0) < INDEX_HEADER_BYTES) return 0;
  const frames = header.readUInt32LE(16);
  // 65,536 does not fit into its two bytes, and is written as 1.
  const page = header.readUInt16LE(14) === 1 ? 65_536 : header.readUInt16LE(14);
  return frames === 0 ? 0 : WAL_HEADER_BYTES + frames * (FRAME_HEADER_BYTES + page);
}

/** Guards the database that is open at this path: SQLite itself goes on writing to files that were removed or cut. */
export function createFileGuard(path: string, health: Pick<Health, 'failed'>): FileGuard {
  const opened = FILES.map((suffix) => ({ file: path + suffix, identity: identityOf(path + suffix) }));
  // Open for as long as the database is: closing it earlier would give up the locks that SQLite holds on the file.
  const index = openSync(`${path}-shm`, 'r');
  let damage: ErrandError | undefined;

  return {
    assertSound: () => {
      if (damage !== undefined) throw damage;
      for (const { file, identity } of opened) {
        const now = identityOf(file);
        if (now === identity) continue;
        throw databaseReplaced(new Error(`${file} ${now === null ? 'is gone' : 'is another file'}.`));
      }
      const log = `${path}-wal`;
      if (statSync(log).size < walBytes(index)) throw databaseReplaced(new Error(`${log} was cut.`));
    },
    close: () => closeSync(index),
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
