import { type ErrandError, type ErrorCode, isDatabaseError } from '#errors';

const PROBE_EVERY_MS = 1000;

/** Told when the database begins to fail, and with null when it works again. */
export type OnHealth = (error: ErrandError | null) => void;

/** Whether the database works, told once for each change: every call that meets a failure would tell the same. */
export interface Health {
  readonly failed: (error: unknown) => void;
  readonly worked: () => void;
  /** Says that a question failed: one of several connections may be broken while the database works. */
  readonly suspected: () => void;
  readonly stop: () => void;
}

/** While the database fails, `probe` is tried each second, so that its return is told even when nobody calls. */
export function createHealth(onHealth: OnHealth, probe: () => Promise<unknown>): Health {
  let failing: ErrorCode | null = null;
  let probing = false;
  let timer: NodeJS.Timeout | undefined;

  // Whatever comes of it is told by the commit: it calls `failed` or `worked`.
  const look = (): void => {
    if (probing) return;
    probing = true;
    void probe()
      .catch(() => {})
      .finally(() => {
        probing = false;
      });
  };

  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
  };

  return {
    failed: (error) => {
      if (!isDatabaseError(error) || failing === error.code) return;
      failing = error.code;
      onHealth(error);
      timer ??= setInterval(look, PROBE_EVERY_MS).unref();
    },
    worked: () => {
      if (failing === null) return;
      failing = null;
      stop();
      onHealth(null);
    },
    suspected: () => {
      if (failing === null) look();
    },
    stop,
  };
}
