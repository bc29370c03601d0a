import { type FSWatcher, watch } from 'node:fs';

// Pauses before reads: the log file changes before its commit can be read.
const PAUSES_MS = [1, 10, 30];

export interface CommitWatch {
  readonly close: () => void;
}

export interface CommitWatchOptions {
  readonly path: string;
  /** Returns a number that changes when another connection commits. */
  readonly version: () => number;
  readonly onCommit: () => void;
}

/** Detects other processes' commits by watching the log file. Where files cannot be watched, it detects none. */
export function watchCommits({ path, version, onCommit }: CommitWatchOptions): CommitWatch {
  let seen = version();
  let timer: NodeJS.Timeout | undefined;
  let next = 0;
  let watcher: FSWatcher | undefined;

  const look = (): void => {
    try {
      const now = version();
      if (now === seen) return;
      seen = now;
    } catch {
      // The file is busy or gone. Assume a change, since it cannot be read.
    }
    onCommit();
  };

  const lookIn = (step: number): void => {
    const ms = PAUSES_MS[step];
    timer = ms === undefined ? undefined : setTimeout(lookAt, ms, step).unref();
  };
  const lookAt = (step: number): void => {
    next = step + 1;
    look();
    lookIn(next);
  };
  const lookSoon = (): void => {
    // With many commits in a row, each gets later reads too, and none delays the next read.
    if (timer !== undefined && next === 0) return;
    clearTimeout(timer);
    next = 0;
    lookIn(next);
  };

  const close = (): void => {
    clearTimeout(timer);
    watcher?.close();
  };

  try {
    watcher = watch(`${path}-wal`, { persistent: false }, lookSoon);
    watcher.on('error', close);
  } catch {
    // The system has no watches left, or the file system does not support them. Readers also poll.
  }
  return { close };
}
