import { type FSWatcher, watch } from 'node:fs';

// The log is written before what is in it can be read.
const PAUSES_MS = [1, 10, 30];

export interface CommitWatch {
  readonly close: () => void;
}

export interface CommitWatchOptions {
  readonly path: string;
  /** A number that moves when another connection commits. */
  readonly version: () => number;
  readonly onCommit: () => void;
}

/** Notices what other processes commit to a file, by its log. Where files cannot be watched it notices nothing. */
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
      // Busy or gone: it cannot be told whether something changed.
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
    // Of many commits one after another each is looked for later as well, and none puts the next look off.
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
    // Out of watches, or a kind of disk without them: readers poll besides.
  }
  return { close };
}
