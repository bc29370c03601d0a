/** How times and durations read. Cards: 12m, 3h, 2d; sentences: 12 min; clocks: 24 hours; durations: 12:41. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

export type Moment = Date | string | number;

/** Milliseconds since 1970 of a date, an ISO text or a number; not a number where the text is no time. */
export function millis(moment: Moment): number {
  return typeof moment === 'number' ? moment : new Date(moment).getTime();
}

/** An age on a card: now, 12m, 3h, 2d. A moment ahead of this machine's clock reads as now. */
export function shortAge(from: Moment, now: Moment): string {
  const age = millis(now) - millis(from);
  if (Number.isNaN(age)) {
    return '';
  }
  if (age < MINUTE) {
    return 'now';
  }
  if (age < HOUR) {
    return `${Math.floor(age / MINUTE)}m`;
  }
  return age < DAY ? `${Math.floor(age / HOUR)}h` : `${Math.floor(age / DAY)}d`;
}

/** A span in a sentence: 18 s, 12 min, 3 h, 2 days. */
export function span(milliseconds: number): string {
  const length = Math.max(0, milliseconds);
  if (length < MINUTE) {
    return `${Math.floor(length / SECOND)} s`;
  }
  if (length < HOUR) {
    return `${Math.floor(length / MINUTE)} min`;
  }
  if (length < DAY) {
    return `${Math.floor(length / HOUR)} h`;
  }
  const days = Math.floor(length / DAY);
  return days === 1 ? '1 day' : `${days} days`;
}

/** A span in a sentence with what is left over: 18 s, 2 min 9 s, 1 h 4 min, 2 days. */
export function exactSpan(milliseconds: number): string {
  const [unit, least] = milliseconds < HOUR ? [MINUTE, SECOND] : [HOUR, MINUTE];
  const rest = milliseconds % unit;
  if (milliseconds < unit || milliseconds >= DAY || rest < least) return span(milliseconds);
  return `${span(milliseconds)} ${span(rest)}`;
}

/** An age in a row of a list: now, 12 min, 3 h, 2 days. */
export function longAge(from: Moment, now: Moment): string {
  const age = millis(now) - millis(from);
  return age >= MINUTE ? span(age) : shortAge(from, now);
}

/** An age in a sentence: just now, 12 min ago, in 3 h. */
export function ago(from: Moment, now: Moment): string {
  const age = millis(now) - millis(from);
  if (Number.isNaN(age)) {
    return '';
  }
  if (Math.abs(age) < MINUTE) {
    return 'just now';
  }
  return age > 0 ? `${span(age)} ago` : `in ${span(-age)}`;
}

/** When a token ends: in 90 days, also some minutes after it was made for 90. Less than two days ahead it is exact. */
export function endsIn(end: Moment, now: Moment): string {
  const left = millis(end) - millis(now);
  return left < 2 * DAY ? ago(end, now) : `in ${span(Math.round(left / DAY) * DAY)}`;
}

/** How long a call or a step took: 18 ms, 4.2 s, 42 s, 3:32. */
export function took(milliseconds: number): string {
  const length = Math.max(0, Math.round(milliseconds));
  if (length < SECOND) {
    return length === 0 ? '0 s' : `${length} ms`;
  }
  if (length >= MINUTE) {
    return duration(length);
  }
  return length < 10 * SECOND ? `${Math.floor(length / 100) / 10} s` : `${Math.floor(length / SECOND)} s`;
}

/** A duration as a stopwatch shows it: 0:18, 12:41, 1:02:41. */
export function duration(milliseconds: number): string {
  const whole = Math.max(0, Math.floor(milliseconds / SECOND));
  const hours = Math.floor(whole / 3_600);
  const minutes = Math.floor((whole % 3_600) / 60);
  const seconds = two(whole % 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${seconds}` : `${minutes}:${seconds}`;
}

/** The time of the day where the reader is: 14:09. */
export function clock(moment: Moment): string {
  const date = new Date(moment);
  return Number.isNaN(date.getTime()) ? '' : `${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** The time of the day with seconds: 14:09:31. */
export function clockSeconds(moment: Moment): string {
  const date = new Date(moment);
  return Number.isNaN(date.getTime()) ? '' : `${clock(date)}:${two(date.getSeconds())}`;
}

/** The beginning of the day, by the clock of the person who looks. */
export function dayStart(now: number): number {
  const start = new Date(now);
  start.setHours(0, 0, 0, 0);
  return start.getTime();
}

/** A day as a heading, or as a due date: Today, Yesterday, 16 Nov, 16 Nov 2025. */
export function day(moment: Moment, now: Moment): string {
  const date = new Date(moment);
  const today = new Date(now);
  if (Number.isNaN(date.getTime())) {
    return '';
  }
  const yesterday = new Date(today.getFullYear(), today.getMonth(), today.getDate() - 1);
  if (date.toDateString() === today.toDateString()) {
    return 'Today';
  }
  if (date.toDateString() === yesterday.toDateString()) {
    return 'Yesterday';
  }
  return date.getFullYear() === today.getFullYear() ? dayMonth(date) : `${dayMonth(date)} ${date.getFullYear()}`;
}

/** The exact moment, for hovers: 16 Nov 2026, 14:09:31. */
export function exact(moment: Moment): string {
  const date = new Date(moment);
  return Number.isNaN(date.getTime()) ? '' : `${dayMonth(date)} ${date.getFullYear()}, ${clockSeconds(date)}`;
}

/** The moment as machines read it, for the datetime attribute; nothing where the text is no time. */
export function isoOf(moment: Moment): string | undefined {
  const date = new Date(moment);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

function dayMonth(date: Date): string {
  return `${date.getDate()} ${MONTHS[date.getMonth()]}`;
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}
