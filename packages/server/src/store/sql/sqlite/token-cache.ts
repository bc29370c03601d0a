import type { KnownToken, PresentedToken } from '#domain/token';
import { createTokenLookup } from '#store/sql/repositories/tokens';
import type { Session } from '#store/sql/session';
import type { DataVersion } from './data-version.ts';

const MAX_TOKENS = 10_000;

export interface TokenCacheOptions {
  /** Forgets the tokens when another process has committed. */
  readonly version: Pick<DataVersion, 'now'>;
  readonly session: Session;
  readonly clock: () => number;
}

/** Caches tokens until this or another process commits a change that could affect them. */
export function createTokenCache({ version, session, clock }: TokenCacheOptions) {
  const lookUp = createTokenLookup(session);
  const known = new Map<string, KnownToken>();
  let generation = 0;

  const forget = (): void => {
    known.clear();
    generation += 1;
  };

  return {
    forget,
    present: async (hash: string): Promise<PresentedToken | null> => {
      version.now();
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
