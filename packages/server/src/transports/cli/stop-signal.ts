const SAME_SIGNAL_MS = 250;
/** A launcher passes a signal on after its client's messages, which takes time on a busy machine. */
const PASSED_ON_MS = 1_000;

/** Calls back at the first stop signal. A later one ends the process at once. */
function onStopSignal(onFirst: () => void, same_signal_ms: number): void {
  let first_at: number | null = null;
  const onSignal = (): void => {
    // The terminal, npm and the launcher may each forward the same key press.
    if (first_at !== null && performance.now() - first_at > same_signal_ms) process.exit(1);
    first_at ??= performance.now();
    onFirst();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
}

/** Resolves at the first stop signal. A later one ends the process at once. */
export const stopSignal = (): Promise<void> => new Promise((resolve) => onStopSignal(resolve, SAME_SIGNAL_MS));

/** Aborts at the first stop signal. A later one ends the process at once. */
export function abortOnStop(): AbortSignal {
  const controller = new AbortController();
  onStopSignal(() => controller.abort(), PASSED_ON_MS);
  return controller.signal;
}
