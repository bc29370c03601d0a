import type { DatabaseSync } from 'node:sqlite';
import type { KnownToken, PresentedToken } from '#domain/token';
import { createTokenLookup } from '#store/sql/repositories/tokens';
import type { Session } from '#store/sql/session';
import type { FileGuard } from './file-guard.ts';

const MAX_TOKENS = 10_000;

export interface TokenCacheOptions {
  /** The writing connection. Its data version changes only when another process commits. */
  readonly writer: DatabaseSync;
  readonly session: Session;
  readonly clock: () => number;
  readonly translate: FileGuard['translate'];
}

/** Caches tokens until this or another process commits a change that could affect them. */
export function createTokenCache({ writer, session, clock, translate }: TokenCacheOptions) {
  const data_version = writer.prepare('pragma data_version');
  const lookUp = createTokenLookup(session);
  const known = new Map<string, KnownToken>();
  let seen: unknown;
  let generation = 0;
  let isChecked = false;

  const forget = (): void => {
    known.clear();
    generation += 1;
  };

  const versionNow = (): unknown => {
    try {
      return data_version.get()?.data_version;
    } catch (error) {
      throw translate(error);
    }
  };

  // Checked once for all calls of one turn: their requests had all arrived before the first of them
  // ran, so a change that any of them has to see is older than the check.
  const check = (): void => {
    if (isChecked) return;
    const version = versionNow();
    if (version !== seen) forget();
    seen = version;
    isChecked = true;
    process.nextTick(() => {
      isChecked = false;
    });
  };

  return {
    forget,
    present: async (hash: string): Promise<PresentedToken | null> => {
      check();
      const hit = known.get(hash);
      if (hit !== undefined) return { known: hit, now: clock() };

      const asked_in = generation;
      const found = await lookUp(hash);
      if (found === null) return null;
      // The cache was cleared during the lookup: the result may be from before the change.
      if (asked_in === generation && known.size < MAX_TOKENS) known.set(hash, found.known);
      return { known: found.known, now: clock() };
    },
  };
}
