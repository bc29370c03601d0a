const SAME_SIGNAL_MS = 250;

/** Resolves at the first stop signal. A later one ends the process at once. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let first_at: number | null = null;
    const onSignal = (): void => {
      // The terminal, npm and the launcher may each forward the same key press.
      if (first_at !== null && performance.now() - first_at > SAME_SIGNAL_MS) process.exit(1);
      first_at ??= performance.now();
      resolve();
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  });
}
