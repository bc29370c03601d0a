import type { DatabaseSync } from 'node:sqlite';
import type { FileGuard } from './file-guard.ts';

export interface DataVersionOptions {
  /** The writing connection. Its data version changes only when another process commits. */
  readonly writer: DatabaseSync;
  readonly translate: FileGuard['translate'];
  /** Called when another process has committed. */
  readonly onOthers: () => void;
}

/** Numbers the states of the database that readers can see. */
export interface DataVersion {
  /**
   * The number of the present state. The database is asked once for all calls of one turn: their requests had all arrived
   * before the first of them ran, so a change that any of them has to see is older than the look.
   */
  readonly now: () => number;
  /** A transaction of this process may have been committed. */
  readonly written: () => void;
}

export function createDataVersion({ writer, translate, onOthers }: DataVersionOptions): DataVersion {
  const data_version = writer.prepare('pragma data_version');
  let version = 0;
  let seen: unknown;
  let isChecked = false;

  const ask = (): unknown => {
    try {
      return data_version.get()?.data_version;
    } catch (error) {
      throw translate(error);
    }
  };

  return {
    now: () => {
      if (isChecked) return version;
      const found = ask();
      if (found !== seen) {
        version += 1;
        onOthers();
      }
      seen = found;
      isChecked = true;
      process.nextTick(() => {
        isChecked = false;
      });
      return version;
    },
    written: () => {
      version += 1;
    },
  };
}
