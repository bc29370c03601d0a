const ASK_EVERY_MS = 100;

/** Listeners for the events of this process and of others. */
interface Watch {
  readonly add: (listener: () => void) => () => void;
  /** Says that everything up to this number is committed. */
  readonly changed: (head: number) => void;
  readonly stop: () => void;
}

/** `readHead` tells the number of the last change, which may be another process's. */
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
        // What a listener does wrong must not fail the commit that it hears of, nor keep others from hearing of it.
      }
    }
  };

  const ask = async (): Promise<void> => {
    if (isAsking) return;
    isAsking = true;
    // A database that is away has nothing to tell: the next question after it is back finds what was missed.
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
