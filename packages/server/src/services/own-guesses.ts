import type { UserId } from '#domain/ids';
import { ErrandError } from '#errors';

const WINDOW_MS = 15 * 60_000;
const MAX_WRONG = 10;

/**
 * Counts, in memory and for a quarter of an hour, wrong passwords that signed-in people gave as their own. Without it,
 * a stolen session could be used to guess the password, and to keep the hashing busy so that others cannot sign in.
 */
export function createOwnGuesses(now: () => number) {
  let wrong = new Map<UserId, number>();
  let ends_at = 0;

  return {
    /** Counts a try before it is known to be wrong: many at once would otherwise all be made. Throws `rate_limited`. */
    begin: (user: UserId): void => {
      if (now() >= ends_at) {
        wrong = new Map();
        ends_at = now() + WINDOW_MS;
      }
      const count = wrong.get(user) ?? 0;
      if (count >= MAX_WRONG) {
        throw new ErrandError('rate_limited', 'Too many wrong passwords were given as yours. Wait, then try again.', {
          retry_after_ms: ends_at - now(),
        });
      }
      wrong.set(user, count + 1);
    },

    right: (user: UserId): void => void wrong.delete(user),
  };
}
