import { DEFAULT_CLIENT_SESSION_LIMITS } from '#domain/client-session';
import { DEFAULT_LIMITS, type Limits } from '#domain/limits';
import { ENDED_SESSIONS_KEPT_MS } from '#domain/sign-in';
import type { Reads, Store, Transaction } from '#store/store';
import { giveBackExpired, hasExpired } from './board/claims.ts';
import { messageChores } from './message-chores.ts';
import { numberChores } from './number-chores.ts';
import { hasSilent, markSilent } from './runs/silence.ts';
import { upkeepChores } from './upkeep-chores.ts';

const BATCH = 500;

interface Chore {
  readonly every_ms: number;
  /** Whether there is something to do. It only reads, so writers do not wait. */
  readonly isDue: (reads: Reads) => Promise<boolean>;
  /** Does one part. Returns whether there may be more. One long transaction would make every writer wait. */
  readonly part: (tx: Transaction) => Promise<boolean>;
}

const always = async (): Promise<boolean> => true;

interface Ages {
  readonly limits?: Limits;
  /** How long an idle client session is kept. */
  readonly session_idle_ms?: number | undefined;
}

const choresOf = ({
  limits = DEFAULT_LIMITS,
  session_idle_ms = DEFAULT_CLIENT_SESSION_LIMITS.idle_ms,
}: Ages): readonly Chore[] => [
  ...messageChores({ limits, batch: BATCH }),
  ...numberChores({ batch: BATCH }),
  ...upkeepChores(),
  { every_ms: 5_000, isDue: hasSilent, part: markSilent },
  {
    every_ms: 60_000,
    isDue: always,
    part: async (tx) => (await tx.idempotency.sweep(tx.now, BATCH)) === BATCH,
  },
  { every_ms: 60_000, isDue: hasExpired, part: async (tx) => (await giveBackExpired(tx, BATCH)) === BATCH },
  {
    every_ms: 60_000,
    isDue: always,
    part: async (tx) => (await tx.events.sweep(tx.now - limits.events_kept_ms, BATCH)) === BATCH,
  },
  {
    every_ms: 60_000,
    isDue: always,
    part: async (tx) => {
      await tx.clientSessions.sweepQuestions(tx.now);
      return (await tx.clientSessions.sweep(tx.now - session_idle_ms, BATCH)) === BATCH;
    },
  },
  {
    // Seldom: no index finds them, so each time all sessions are looked at.
    every_ms: 10 * 60_000,
    isDue: (reads) => reads.browserSessions.hasEnded(ENDED_SESSIONS_KEPT_MS),
    part: async (tx) => (await tx.browserSessions.sweep(tx.now - ENDED_SESSIONS_KEPT_MS, BATCH)) === BATCH,
  },
];

/** Repeats a chore, one at a time. */
function repeat(store: Store, { every_ms, isDue, part }: Chore, failed: (error: unknown) => void): NodeJS.Timeout {
  let isRunning = false;

  const run = async (): Promise<void> => {
    if (isRunning) return;
    isRunning = true;
    try {
      if (await isDue(store.reads)) while (await store.transaction(part));
    } catch (error) {
      failed(error);
    } finally {
      isRunning = false;
    }
  };

  return setInterval(() => void run(), every_ms).unref();
}

/** Removes expired rows, releases claims, marks silent runs and numbers tasks of older servers, until the returned function is called. */
export function startHousekeeping(store: Store, failed: (error: unknown) => void, ages: Ages = {}): () => void {
  const timers = choresOf(ages).map((chore) => repeat(store, chore, failed));
  return () => {
    for (const timer of timers) clearInterval(timer);
  };
}
