const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Distances between the marks of an axis that people can add up in their head. */
const STRIDES = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800,
].map((seconds) => seconds * SECOND);
const MAX_TICKS = 8;
/** While a run goes on, what comes next has room at the right. */
const ROOM_AHEAD = 0.92;
/** A run that has just begun is not drawn as if it had lasted: its first bar would fill the axis. */
const MIN_RUNNING_MS = 30 * SECOND;
/** A run that ended at once still has an axis. */
const MIN_ENDED_MS = SECOND;

/** The part of time that an axis shows, in milliseconds. */
export interface Scale {
  readonly from: number;
  readonly to: number;
}

/** The part of time that the timeline shows, from the begin of the run to its end or now. */
export function scaleOf(from: number, until: number, isRunning: boolean): Scale {
  const lasted = Math.max(isRunning ? MIN_RUNNING_MS : MIN_ENDED_MS, until - from);
  return { from, to: from + (isRunning ? lasted / ROOM_AHEAD : lasted) };
}

/** The place of a moment on the axis in percent, within its ends. */
export const percentAt = ({ from, to }: Scale, at: number): number =>
  Math.round(Math.min(100, Math.max(0, ((at - from) / (to - from)) * 100)) * 100) / 100;

/** The marks of an axis: on full seconds, minutes or hours of the clock, or of the time since the beginning. */
export function ticksOf({ from, to }: Scale, by: 'clock' | 'elapsed', zoneMs = zoneAt(from)): readonly number[] {
  const stride = STRIDES.find((each) => (to - from) / each <= MAX_TICKS) ?? Math.ceil((to - from) / MAX_TICKS);
  const start = by === 'clock' ? Math.ceil((from - zoneMs) / stride) * stride + zoneMs : from;
  return Array.from({ length: Math.max(0, Math.floor((to - start) / stride) + 1) }, (_, at) => start + at * stride);
}

/** What the local clock is behind UTC: marks of hours and days lie on local ones. */
const zoneAt = (at: number): number => new Date(at).getTimezoneOffset() * MINUTE;

/** Whether the marks are closer than a minute and need their seconds. */
export const needSeconds = (ticks: readonly number[]): boolean =>
  ticks.length > 1 && (ticks[1] ?? 0) - (ticks[0] ?? 0) < MINUTE;

/** How often the end of a running axis moves: no oftener than it could be seen. */
export const beatOf = (lastedMs: number): number => Math.max(SECOND, Math.floor(lastedMs / 500 / SECOND) * SECOND);

export const isLong = ({ from, to }: Scale): boolean => to - from > 24 * HOUR;
