import type { Store } from '#store/store';

const EVERY_MS = 60_000;
const BATCH = 500;

/** Removes what has expired, a little at a time: one long deletion would make every writer wait. Returns how to stop it. */
export function startHousekeeping(store: Store, failed: (error: unknown) => void): () => void {
  const sweep = (): Promise<number> => store.transaction((tx) => tx.idempotency.sweep(tx.now, BATCH));
  let running = false;

  const tick = async (): Promise<void> => {
    if (running) return;
    running = true;
    try {
      while ((await sweep()) === BATCH);
    } catch (error) {
      failed(error);
    } finally {
      running = false;
    }
  };

  const timer = setInterval(() => void tick(), EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
