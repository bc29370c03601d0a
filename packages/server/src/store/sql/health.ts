import { type ErrandError, type ErrorCode, isDatabaseError } from '#errors';

const PROBE_EVERY_MS = 1000;

/** Called with the error when the database begins to fail, and with null when it works again. */
export type OnHealth = (error: ErrandError | null) => void;

/** Whether the database works. Each change is reported once, not by every call that fails. */
export interface Health {
  readonly failed: (error: unknown) => void;
  readonly worked: () => void;
  /** Records that a query failed: one of several connections may be broken while the database works. */
  readonly suspected: () => void;
  readonly stop: () => void;
}

/** Tries `probe` each second while the database fails, so that its return is reported without a call. */
export function createHealth(onHealth: OnHealth, probe: () => Promise<unknown>): Health {
  let failing: ErrorCode | null = null;
  let probing = false;
  let timer: NodeJS.Timeout | undefined;

  // The commit of the probe calls `failed` or `worked`.
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
