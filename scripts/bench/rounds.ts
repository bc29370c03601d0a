/** A subject of a comparison. It works for some seconds, and returns how fast it was. */
export interface Contestant<Figure> {
  readonly name: string;
  readonly run: (seconds: number) => Promise<Figure>;
}

export interface Effort {
  readonly rounds: number;
  readonly seconds: number;
}

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
};

/**
 * Measures the contestants in turns, so that a slow minute of the machine affects all of them. The first round is
 * discarded, because code is still being compiled.
 */
export async function compete<Figure>(
  contestants: readonly Contestant<Figure>[],
  { rounds, seconds }: Effort,
): Promise<ReadonlyMap<string, readonly Figure[]>> {
  const figures = new Map<string, Figure[]>(contestants.map(({ name }) => [name, []]));
  for (const { run } of contestants) await run(1);
  for (let round = 0; round < rounds; round++) {
    for (const { name, run } of contestants) figures.get(name)?.push(await run(seconds));
  }
  return figures;
}

/** Returns the median of the ratios per round. */
export const ratio = (ours: readonly number[], theirs: readonly number[]): number =>
  median(ours.map((value, round) => value / (theirs[round] ?? Number.NaN)));
