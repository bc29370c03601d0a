import { createShares } from './shares.ts';

/** Places for requests while they run: so many in all, and a quarter of them for each holder. */
export function createPlaces(most: number) {
  const shares = createShares(Math.ceil(most / 4));
  let taken = 0;

  return {
    /** The way to leave the place, once or more often; null when there is none. */
    take: (holder: string): (() => void) | null => {
      if (taken >= most || !shares.take(holder)) return null;
      taken += 1;
      let isLeft = false;
      return () => {
        if (isLeft) return;
        isLeft = true;
        taken -= 1;
        shares.leave(holder);
      };
    },
  };
}
