import { ErrandError } from '#errors';
import { networkOf } from '#transports/address';

const WINDOW_MS = 15 * 60_000;
const MAX_OF_PAIR = 10;
const MAX_OF_ADDRESS = 60;
/** From here on, each address has one try for the name. */
const MAX_OF_NAME = 100;
const MAX_KEPT = 20_000;

interface Try {
  readonly name: string;
  readonly address: string;
}

/**
 * Counts wrong passwords in memory, for a quarter of an hour: by address, by name and address, and by name. Somebody who guesses
 * from elsewhere never locks a person out: from an address that has not guessed, a name always has a try.
 */
export function createSignInLimits(now: () => number) {
  let counts = new Map<string, number>();
  let ends_at = 0;

  const keysOf = ({ name, address }: Try) => ({
    pair: JSON.stringify([name.toLowerCase(), networkOf(address)]),
    address: JSON.stringify(['', networkOf(address)]),
    name: JSON.stringify([name.toLowerCase(), '']),
  });

  function current(): Map<string, number> {
    if (now() >= ends_at) {
      counts = new Map();
      ends_at = now() + WINDOW_MS;
    }
    return counts;
  }

  return {
    /** Throws `rate_limited` before anything is computed for the try. */
    mayTry: (attempt: Try): void => {
      const kept = current();
      const keys = keysOf(attempt);
      const [ofPair = 0, ofAddress = 0, ofName = 0] = [keys.pair, keys.address, keys.name].map((key) => kept.get(key));
      const most = ofName >= MAX_OF_NAME ? 1 : MAX_OF_PAIR;
      if (ofPair < most && ofAddress < MAX_OF_ADDRESS) return;
      throw new ErrandError('rate_limited', 'Too many wrong passwords came from this address. Wait, then try again.', {
        retry_after_ms: ends_at - now(),
      });
    },

    failed: (attempt: Try): void => {
      const kept = current();
      for (const key of Object.values(keysOf(attempt))) {
        const count = (kept.get(key) ?? 0) + 1;
        // At the end: what is guessed now is forgotten last, so nobody makes room for guesses that are not counted.
        kept.delete(key);
        kept.set(key, count);
      }
      for (const oldest of kept.keys()) {
        if (kept.size <= MAX_KEPT) break;
        kept.delete(oldest);
      }
    },

    /** The person has shown that they know the password: their own mistakes do not count any more. */
    succeeded: (attempt: Try): void => {
      const kept = current();
      const { pair, ...others } = keysOf(attempt);
      kept.delete(pair);
      for (const key of Object.values(others)) kept.set(key, Math.max(0, (kept.get(key) ?? 0) - 1));
    },
  };
}

export type SignInLimits = ReturnType<typeof createSignInLimits>;
