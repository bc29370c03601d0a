/** The moment at which all pictures are taken: that of the design’s own. */
export const NOW = Date.parse('2026-11-15T14:14:51.000Z');

const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** A time of the day of the pictures: 14:02, or 14:02:10. */
export const clock = (text: string): number => Date.parse(`2026-11-15T${text.length === 5 ? `${text}:00` : text}.000Z`);

interface Act {
  readonly at: number;
  readonly act: () => Promise<unknown>;
}

/** Acts with their times. They are added in any order and done in the order of their times. */
export function createSchedule(time: { now: number }) {
  const acts: Act[] = [];
  return {
    at: (at: number, act: () => Promise<unknown>): void => {
      acts.push({ at, act });
    },
    /** Does every act. Acts of one time are done in the order in which they were added. */
    play: async (): Promise<void> => {
      for (const { at, act } of acts.toSorted((one, other) => one.at - other.at)) {
        time.now = Math.max(time.now, at);
        await act();
      }
      time.now = NOW;
    },
  };
}

export type Schedule = ReturnType<typeof createSchedule>;
