const MINUTE_MS = 60_000;
/** A week of one sample each minute. */
const MAX_SAMPLES = 10_080;

interface Sample {
  /** The number of its minute. */
  readonly minute: number;
  readonly queued: number;
  readonly database_bytes: number;
}

/** How many runs waited and how large the database was in each minute of the last week, in memory and bounded. */
export function createQueueHistory(clock: () => number) {
  const samples: Sample[] = [];

  return {
    add: ({ queued, database_bytes }: Omit<Sample, 'minute'>): void => {
      samples.push({ minute: Math.floor(clock() / MINUTE_MS), queued, database_bytes });
      if (samples.length > MAX_SAMPLES) samples.shift();
    },

    /** The most runs that waited in each part of the last minutes; null for a part without a sample. */
    queued: (count: number, parts: number): readonly (number | null)[] => {
      const first = Math.floor(clock() / MINUTE_MS) - count + 1;
      const most: (number | null)[] = Array.from({ length: parts }, () => null);
      for (const { minute, queued } of samples) {
        const part = Math.floor(((minute - first) * parts) / count);
        if (part >= 0 && part < parts) most[part] = Math.max(most[part] ?? 0, queued);
      }
      return most;
    },

    /** The oldest size of the database that is known. */
    firstSize: (): { readonly at: number; readonly bytes: number } | null => {
      const [oldest] = samples;
      return oldest === undefined ? null : { at: oldest.minute * MINUTE_MS, bytes: oldest.database_bytes };
    },
  };
}
