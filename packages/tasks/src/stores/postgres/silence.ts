/** Notices a connection on which questions are out and no answer comes. */
export interface Silence {
  readonly asked: () => void;
  readonly answered: () => void;
  /** Begins a stretch in which answers may take any time; returns how to end it. */
  readonly suspend: () => () => void;
  readonly stop: () => void;
}

/**
 * Calls `onSilence` when nothing was answered for so long while questions were out. Each answer begins the wait anew:
 * many questions behind one another may take longer than one of them.
 */
export function createSilence(longest_ms: number, onSilence: () => void): Silence {
  let waiting = 0;
  let suspended = false;
  let timer: NodeJS.Timeout | undefined;

  const stop = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };

  return {
    asked: () => {
      waiting += 1;
      if (!suspended) timer ??= setTimeout(onSilence, longest_ms);
    },
    answered: () => {
      waiting -= 1;
      if (waiting === 0) stop();
      else timer?.refresh();
    },
    suspend: () => {
      stop();
      suspended = true;
      return () => {
        suspended = false;
      };
    },
    stop,
  };
}
