import { closeSync, openSync, readSync, statSync } from 'node:fs';

/** Checks that the files of an open SQLite database are still in place. */
export interface FileGuard {
  /** Returns an error that names the missing or changed file; null while the opened files are in place. */
  readonly findLoss: () => Error | null;
  /** Releases the file handles. Call it after the database was closed. */
  readonly close: () => void;
}

/** The files of a database. SQLite keeps committed changes in all three. */
const FILES = ['', '-wal', '-shm'] as const;
const LOG = '-wal';

const WAL_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const INDEX_HEADER_BYTES = 24;

interface Found {
  readonly identity: string | null;
  readonly bytes: number;
}

function find(file: string): Found {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found === undefined
    ? { identity: null, bytes: 0 }
    : { identity: `${found.dev}:${found.ino}`, bytes: Number(found.size) };
}

const identityOf = (file: string): string | null => find(file).identity;

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/**
 * The minimum length of the write-ahead log, from the header of its index: SQLite writes the number of frames after
 * the frames, and sets it to zero before it cuts the log itself.
 */
function walBytes(index: number): number {
  const header = Buffer.alloc(INDEX_HEADER_BYTES);
  if (readSync(index, header, 0, INDEX_HEADER_BYTES, 0) < INDEX_HEADER_BYTES) return 0;
  const frames = header.readUInt32LE(16);
  // 65,536 does not fit into its two bytes, and is written as 1.
  const page = header.readUInt16LE(14) === 1 ? 65_536 : header.readUInt16LE(14);
  return frames === 0 ? 0 : WAL_HEADER_BYTES + frames * (FRAME_HEADER_BYTES + page);
}

/**
 * Open index files by identity, with their number of users. Closing any handle of a file releases every lock that this
 * process holds on it, so a handle stays open until this process has closed its last database on that file.
 */
const indexes = new Map<string, { readonly handle: number; users: number }>();

function openIndex(file: string): { readonly handle: number; readonly close: () => void } {
  const key = identityOf(file) ?? '';
  const index = indexes.get(key) ?? { handle: openSync(file, 'r'), users: 0 };
  index.users += 1;
  indexes.set(key, index);
  const close = (): void => {
    index.users -= 1;
    if (index.users > 0) return;
    indexes.delete(key);
    closeSync(index.handle);
  };
  return { handle: index.handle, close };
}

/**
 * Whether the log is shorter than its index says. Other processes append frames, and reset the log, between the reads:
 * the index is read first, because frames are written before they are counted, and again, because a reset counts zero
 * frames before it cuts.
 */
export function isLogCut(neededBytes: () => number, logBytes: () => number): boolean {
  const needed = neededBytes();
  return logBytes() < needed && neededBytes() === needed && logBytes() < needed;
}

/** Guards the database at this path. SQLite itself would go on writing to files that were removed or cut. */
export function createFileGuard(path: string): FileGuard {
  const opened = FILES.map((suffix) => ({
    file: path + suffix,
    isLog: suffix === LOG,
    identity: identityOf(path + suffix),
  }));
  const index = openIndex(`${path}-shm`);

  return {
    findLoss: () => {
      // Before the log: frames are written before they are counted.
      const needed = walBytes(index.handle);
      let log_bytes = 0;
      for (const { file, isLog, identity } of opened) {
        const now = find(file);
        if (now.identity !== identity) {
          return new Error(`${file} ${now.identity === null ? 'is gone' : 'is another file'}.`);
        }
        if (isLog) log_bytes = now.bytes;
      }
      if (log_bytes >= needed) return null;
      const log = path + LOG;
      const isCut = isLogCut(
        () => walBytes(index.handle),
        () => sizeOf(log),
      );
      return isCut ? new Error(`${log} was cut.`) : null;
    },
    close: index.close,
  };
}
