/** As many as tell how it is now, and not how it once was. */
const MAX_KEPT = 100;

/** Keeps how long the latest changes took until their followers were told. */
export function createLag() {
  const kept: number[] = [];
  let count = 0;

  return {
    add: (ms: number): void => {
      // A database on another machine has its own clock, which may be ahead.
      kept[count % MAX_KEPT] = Math.max(0, ms);
      count += 1;
    },
    median: (): number | null => kept.toSorted((a, b) => a - b)[Math.floor(kept.length / 2)] ?? null,
  };
}
