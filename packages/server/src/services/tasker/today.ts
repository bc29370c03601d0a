import type { TrackerWork } from '#services/work';

/** The day by the store's clock, as YYYY-MM-DD. */
export const today = (work: TrackerWork): Promise<string> =>
  work.transaction(async ({ now }) => new Date(now).toISOString().slice(0, 10));
