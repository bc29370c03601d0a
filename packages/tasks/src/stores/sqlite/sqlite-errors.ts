import { setTimeout as sleep } from 'node:timers/promises';
import { storeAway } from '#stores/store-away';

const BUSY = 5;
const LOCKED = 6;
const GIVE_UP_MS = 10_000;
const MAX_PAUSE_MS = 2;

function codeOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode : undefined;
}

function isBusy(error: unknown): boolean {
  // The low byte is the kind of the error. The rest adds detail.
  const kind = (codeOf(error) ?? 0) & 0xff;
  return kind === BUSY || kind === LOCKED;
}

/** Turns an error of SQLite into a `TaskError`. Any other error is a bug of ours, and is returned unchanged. */
export function fromSqlite(error: unknown): unknown {
  const isClosed = error instanceof Error && 'code' in error && error.code === 'ERR_INVALID_STATE';
  return isClosed || codeOf(error) !== undefined ? storeAway(error) : error;
}

/** Tries again while another process holds the lock. Waiting in the driver would block the whole process. */
export async function whenFree<T>(attempt: () => T): Promise<T> {
  const give_up_at = performance.now() + GIVE_UP_MS;
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || performance.now() > give_up_at) throw fromSqlite(error);
    }
    await sleep(Math.random() * MAX_PAUSE_MS);
  }
}
