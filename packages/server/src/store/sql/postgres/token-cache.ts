import type { KnownToken, PresentedToken } from '#domain/token';
import { createTokenLookup } from '#store/sql/repositories/tokens';
import type { Session } from '#store/sql/session';
import { statement } from '#store/sql/statement';

const MAX_TOKENS = 10_000;
// Each call looks, together with all calls that wait: a token that was revoked on any server is refused from then on.
const MAX_AGE_MS = 0;
/** From this part of the age on, the next look goes on beside the calls, and none waits for it. */
const LOOK_AFTER_PART = 0.4;

// The database counts every change of what decides about tokens, whichever server makes it.
const look = statement<object, { readonly version: number; readonly now: number }>(
  'select version, (extract(epoch from clock_timestamp()) * 1000)::bigint as now from access_head',
  'postgres',
);

interface TokenCacheOptions {
  readonly session: Session;
  /** How old the last look at the number of changes may be when a kept token is presented. */
  readonly max_age_ms?: number | undefined;
}

/** The last look: what it saw, and when it was asked. */
interface Look {
  readonly version: number;
  readonly now: number;
  readonly at: number;
}

/**
 * Keeps tokens with all that decides what they may do. A change by another server is noticed within `max_age_ms`, one by
 * this server at once.
 */
export function createTokenCache({ session, max_age_ms = MAX_AGE_MS }: TokenCacheOptions) {
  const lookUp = createTokenLookup(session);
  const known = new Map<string, KnownToken>();
  let generation = 0;
  let last: Look | null = null;
  let looking: Promise<Look> | undefined;

  const forget = (): void => {
    known.clear();
    generation += 1;
  };

  async function lookNow(): Promise<Look> {
    const at = performance.now();
    const row = await session.get(look, {});
    if (row === null)
      throw new Error('The row that changes are counted in is missing: the database was tampered with.');
    if (row.version !== last?.version) forget();
    last = { ...row, at };
    return last;
  }

  const shared = (): Promise<Look> => {
    looking ??= lookNow().finally(() => {
      looking = undefined;
    });
    return looking;
  };

  async function current(): Promise<Look> {
    const age = last === null ? Infinity : performance.now() - last.at;
    if (last === null || age >= max_age_ms) {
      // A look that is under way may have been asked before this call came.
      if (max_age_ms === 0) await looking?.catch(() => {});
      return shared();
    }
    if (age >= max_age_ms * LOOK_AFTER_PART) shared().catch(() => {});
    return last;
  }

  return {
    forget,
    present: async (hash: string): Promise<PresentedToken | null> => {
      const seen = await current();
      const hit = known.get(hash);
      // The time of the database, counted from before it was asked: a token never lives longer here than there.
      if (hit !== undefined) return { known: hit, now: seen.now + (performance.now() - seen.at) };

      const asked_in = generation;
      const found = await lookUp(hash);
      if (found === null) return null;
      // A change was noticed during the lookup: what it found may be from before.
      if (asked_in === generation && known.size < MAX_TOKENS) known.set(hash, found.known);
      return { known: found.known, now: found.now ?? seen.now };
    },
  };
}
