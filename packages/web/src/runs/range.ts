import type { Run } from '../api/runs.ts';
import { clock, day } from '../text/time.ts';

const HOUR = 3_600_000;

/** How far back the page looks (an hour, a day, 7 days, 30 days), and how many bars that makes. */
export const RANGES = {
  '1h': { label: '1 h', span: HOUR, bars: 30 },
  '24h': { label: '24 h', span: 24 * HOUR, bars: 48 },
  '7d': { label: '7 d', span: 7 * 24 * HOUR, bars: 42 },
  '30d': { label: '30 d', span: 30 * 24 * HOUR, bars: 30 },
} as const;
export type Range = keyof typeof RANGES;

export const isRange = (value: unknown): value is Range => typeof value === 'string' && Object.hasOwn(RANGES, value);

export interface Bar {
  readonly ok: number;
  readonly now: number;
  readonly bad: number;
}

type Counted = Pick<Run, 'status' | 'started_at'>;

export const isBad = ({ status }: Pick<Run, 'status'>): boolean => status === 'failed' || status === 'interrupted';
export const isOpen = ({ status }: Pick<Run, 'status'>): boolean => status === 'running' || status === 'queued';

/** The runs by the time of their beginning, the oldest bar first. Stopped ones are neither good nor bad. */
export function barsOf(runs: readonly Counted[], range: Range, now: number): readonly Bar[] {
  const { span, bars } = RANGES[range];
  const width = span / bars;
  const made = Array.from({ length: bars }, () => ({ ok: 0, now: 0, bad: 0 }));
  for (const run of runs) {
    const at = bars - 1 - Math.floor((now - Date.parse(run.started_at)) / width);
    const bar = made[Math.min(at, bars - 1)];
    if (bar === undefined) continue;
    if (run.status === 'completed') bar.ok += 1;
    else if (isBad(run)) bar.bad += 1;
    else if (isOpen(run)) bar.now += 1;
  }
  return made;
}

/** The times below the bars, from the left to now. */
export function ticksOf(range: Range, now: number, ticks = 7): readonly string[] {
  const { span } = RANGES[range];
  return Array.from({ length: ticks }, (_, at) => {
    if (at === ticks - 1) return 'now';
    const time = now - span + (at * span) / (ticks - 1);
    if (span > 24 * HOUR) return day(time, now);
    const date = day(time, now);
    return at === 0 && date !== 'Today' ? `${date.toLowerCase()} ${clock(time)}` : clock(time);
  });
}
