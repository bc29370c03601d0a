import { type Moment, millis } from '../text/time.ts';

export type LeaseState = 'claimed' | 'waiting' | 'quiet' | 'stalled' | 'lost';

/** The outline of the ring round a tile of this size, from the middle of its top edge clockwise. */
export function ringPath(tile: number): string {
  const box = tile + 8;
  const far = box - 1;
  const r = tenth(box * 0.29);
  const end = tenth(far - r);
  const start = tenth(1 + r);
  const corner = `A${r} ${r} 0 0 1`;
  return [
    `M${box / 2} 1H${end}${corner} ${far} ${start}`,
    `V${end}${corner} ${end} ${far}`,
    `H${start}${corner} 1 ${end}`,
    `V${start}${corner} ${start} 1Z`,
  ].join('');
}

/** The dashes of a ring whose outline counts 100: what is left of the claim, or the line of a state without one. */
export function ringDashes(state: LeaseState, left: number): string {
  if (state === 'quiet') {
    return '2 4';
  }
  if (state === 'lost') {
    return '6 8';
  }
  return `${Math.round(Math.min(1, Math.max(0, left)) * 100)} 100`;
}

/** The part of a claim that is left, 1 to 0. A claim without an end, or one that ends as it begins, is whole until it ends. */
export function leaseLeft(from: Moment | undefined, until: Moment | undefined, now: number): number {
  if (from === undefined || until === undefined) {
    return 1;
  }
  const length = millis(until) - millis(from);
  if (!(length > 0)) {
    return now < millis(until) ? 1 : 0;
  }
  return Math.min(1, Math.max(0, (millis(until) - now) / length));
}

function tenth(number: number): number {
  return Math.round(number * 10) / 10;
}
