/** Notices a connection that has open queries and sends no answer. */
export interface Silence {
  readonly asked: () => void;
  readonly answered: () => void;
  /** Starts a period in which answers may take any time. Returns the function that ends it. */
  readonly suspend: () => () => void;
  readonly stop: () => void;
}

/**
 * Calls `onSilence` when open queries got no answer for this long. Each answer restarts the wait:
 * many queries in a row may take longer than one.
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
