const ASK_EVERY_MS = 100;

/** Listeners for the events of this process and of others. */
interface Watch {
  readonly add: (listener: () => void) => () => void;
  /** Announces that everything up to this number is committed. */
  readonly changed: (head: number) => void;
  readonly stop: () => void;
}

/** `readHead` reads the number of the last event, which another process may have committed. */
export function createWatch(readHead: () => Promise<number>): Watch {
  const listeners = new Set<{ readonly listener: () => void }>();
  let last_head = 0;
  let isAsking = false;
  let timer: NodeJS.Timeout | undefined;

  const changed = (head: number): void => {
    if (head <= last_head) return;
    last_head = head;
    for (const { listener } of listeners) {
      try {
        listener();
      } catch {
        // An error in a watcher must not fail the commit, nor keep other watchers from being called.
      }
    }
  };

  const ask = async (): Promise<void> => {
    if (isAsking) return;
    isAsking = true;
    // While the database is away there is nothing to announce. The next read after its return finds everything.
    await readHead().then(changed, () => {});
    isAsking = false;
  };

  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
    listeners.clear();
  };

  return {
    add: (listener) => {
      const entry = { listener };
      listeners.add(entry);
      timer ??= setInterval(ask, ASK_EVERY_MS).unref();
      return () => {
        listeners.delete(entry);
        if (listeners.size === 0) stop();
      };
    },
    changed,
    stop,
  };
}
