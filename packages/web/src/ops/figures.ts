import type { Operations } from '../api/operations.ts';

export type CallSpan = NonNullable<Operations['spans']>[number];

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

/** The parts of the time in which this server ran. */
export function spansSince({ spans = [], since }: Pick<Operations, 'spans' | 'since'>): readonly CallSpan[] {
  const [first, second] = spans;
  if (first === undefined || second === undefined) return spans;
  const length = Date.parse(second.at) - Date.parse(first.at);
  return spans.filter(({ at }) => Date.parse(at) + length > Date.parse(since));
}

/** The unit of a rate: a second, or a minute where not even one call comes in a second. */
export interface Rate {
  readonly name: 'second' | 'minute';
  readonly rates: (of: (span: CallSpan) => number) => readonly number[];
}

/** How often calls came in each part of the time; the last part goes on. */
export function rateOf(spans: readonly CallSpan[], now: number): Rate {
  const perSecond = (of: (span: CallSpan) => number): readonly number[] =>
    spans.map((span, part) => {
      const end = Date.parse(spans[part + 1]?.at ?? '') || now;
      return (of(span) * SECOND_MS) / Math.max(MINUTE_MS, end - Date.parse(span.at));
    });
  const isOften = perSecond(({ calls }) => calls).some((rate) => rate >= 1);
  if (isOften) return { name: 'second', rates: perSecond };
  return { name: 'minute', rates: (of) => perSecond(of).map((rate) => (rate * MINUTE_MS) / SECOND_MS) };
}

/** The top of an axis: a round number that holds all values. */
export function topOf(values: readonly number[]): number {
  const most = Math.max(...values, 0);
  if (most <= 3) return 3;
  const unit = 10 ** Math.floor(Math.log10(most));
  return ([1.2, 1.5, 3, 6, 9].find((step) => step * unit >= most) ?? 12) * unit;
}

/** The places of moments between two others, in hundredths. */
export const placesOf = (times: readonly number[], from: number, to: number): readonly number[] =>
  times.map((at) => Math.min(100, (100 * (at - from)) / Math.max(1, to - from)));

/** A place and a value, both in hundredths from the left and from the top. */
type Point = readonly [number, number];

/** The measured stretches of values: what was not measured is drawn as a gap. */
export function stretchesOf(
  values: readonly (number | null)[],
  places: readonly number[],
  top: number,
): readonly (readonly Point[])[] {
  const stretches: Point[][] = [];
  let isOpen = false;
  for (const [at, value] of values.entries()) {
    if (value === null) isOpen = false;
    else {
      if (!isOpen) stretches.push([]);
      isOpen = true;
      stretches.at(-1)?.push([places[at] ?? 0, 100 - (100 * value) / top]);
    }
  }
  return stretches;
}

/** A line through points; one of whole things goes on level until the next. */
export const lineOf = (points: readonly Point[], stepped = false): string =>
  points
    .map(([x, y], at) => {
      const [across, down] = [x.toFixed(2), y.toFixed(1)];
      return at === 0 ? `M${across} ${down}` : stepped ? `H${across}V${down}` : `L${across} ${down}`;
    })
    .join('');

/** The field below a line. */
export const fieldOf = (points: readonly Point[], stepped = false): string =>
  `${lineOf(points, stepped)}L${points.at(-1)?.[0].toFixed(2)} 100L${points[0]?.[0].toFixed(2)} 100Z`;

/** A figure at an axis or in a legend. */
export const short = (value: number): string =>
  value >= 10 || Number.isInteger(value) ? String(Math.round(value)) : value.toFixed(1);

/** How long something took: 0.4 ms, 12 ms, 1.5 s, 30 s. */
export const tookOf = (milliseconds: number): string =>
  milliseconds < SECOND_MS ? `${short(milliseconds)} ms` : `${short(milliseconds / SECOND_MS)} s`;

/** The place of a duration on a scale of 1 ms to 1 s that grows tenfold by thirds, in hundredths. */
export const logPercent = (milliseconds: number): number =>
  Math.min(100, Math.max(0, (100 * Math.log10(Math.max(1, milliseconds))) / 3));
