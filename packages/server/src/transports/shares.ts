/** Counts what runs for each holder, so that one of them cannot take the places of all others. */
export function createShares(most: number) {
  const running = new Map<string, number>();

  return {
    /** False when the holder has its whole share already; nothing is counted then. */
    take: (holder: string): boolean => {
      const count = running.get(holder) ?? 0;
      if (count >= most) return false;
      running.set(holder, count + 1);
      return true;
    },
    leave: (holder: string): void => {
      const count = running.get(holder) ?? 0;
      if (count > 1) running.set(holder, count - 1);
      else running.delete(holder);
    },
  };
}
