import { describe, expect, it } from 'vitest';
import {
  ago,
  clock,
  clockSeconds,
  day,
  duration,
  endsIn,
  exact,
  exactSpan,
  isoOf,
  longAge,
  shortAge,
  span,
  took,
} from './time.ts';

const NOW = new Date(2026, 10, 16, 14, 9, 31).getTime();
const MIN = 60_000;
const HOUR = 60 * MIN;

describe('longAge', () => {
  it.each([
    [59_999, 'now'],
    [MIN, '1 min'],
    [3 * HOUR, '3 h'],
    [24 * HOUR, '1 day'],
    [-5 * HOUR, 'now'],
  ])('of %i ms is %s', (age, text) => {
    expect(longAge(NOW - age, NOW)).toBe(text);
  });
});

describe('shortAge', () => {
  it.each([
    [0, 'now'],
    [59_999, 'now'],
    [MIN, '1m'],
    [59 * MIN + 59_999, '59m'],
    [HOUR, '1h'],
    [24 * HOUR - 1, '23h'],
    [24 * HOUR, '1d'],
    [400 * 24 * HOUR, '400d'],
    [-5 * HOUR, 'now'],
  ])('of %i ms is %s', (age, text) => {
    expect(shortAge(NOW - age, NOW)).toBe(text);
  });

  it('is empty for what is no time', () => {
    expect([shortAge('soon', NOW), ago('soon', NOW), clock('soon'), exact('soon'), day('soon', NOW)]).toEqual(
      Array.from({ length: 5 }, () => ''),
    );
    expect(isoOf('soon')).toBeUndefined();
  });
});

describe('sentences', () => {
  it.each([
    [18_000, '18 s'],
    [12 * MIN, '12 min'],
    [3 * HOUR, '3 h'],
    [24 * HOUR, '1 day'],
    [49 * HOUR, '2 days'],
    [-1, '0 s'],
  ])('span of %i ms is %s', (length, text) => {
    expect(span(length)).toBe(text);
  });

  it.each([
    [18_400, '18 s'],
    [2 * MIN + 9_000, '2 min 9 s'],
    [2 * MIN + 400, '2 min'],
    [HOUR + 4 * MIN + 9_000, '1 h 4 min'],
    [3 * HOUR + 59_000, '3 h'],
    [49 * HOUR, '2 days'],
    [-1, '0 s'],
  ])('exact span of %i ms is %s', (length, text) => {
    expect(exactSpan(length)).toBe(text);
  });

  it('says when a token ends in whole days, and exactly within two days', () => {
    expect(endsIn(NOW + 90 * 24 * HOUR - 8 * MIN, NOW)).toBe('in 90 days');
    expect(endsIn(NOW + 89.4 * 24 * HOUR, NOW)).toBe('in 89 days');
    expect(endsIn(NOW + 47 * HOUR, NOW)).toBe('in 1 day');
    expect(endsIn(NOW - 3 * HOUR, NOW)).toBe('3 h ago');
  });

  it('say what was, what is to come, and what is now', () => {
    expect(ago(NOW - 12 * MIN, NOW)).toBe('12 min ago');
    expect(ago(NOW + 3 * HOUR, NOW)).toBe('in 3 h');
    expect(ago(NOW - 59_000, NOW)).toBe('just now');
  });
});

describe('durations and clocks', () => {
  it.each([
    [0, '0:00'],
    [18_400, '0:18'],
    [12 * MIN + 41_000, '12:41'],
    [HOUR + 2 * MIN + 41_000, '1:02:41'],
    [-1, '0:00'],
  ])('duration of %i ms is %s', (length, text) => {
    expect(duration(length)).toBe(text);
  });

  it('clocks have 24 hours and two digits', () => {
    expect(clock(new Date(2026, 0, 1, 4, 5, 6))).toBe('04:05');
    expect(clockSeconds(new Date(2026, 0, 1, 23, 59, 6))).toBe('23:59:06');
    expect(exact(NOW)).toBe('16 Nov 2026, 14:09:31');
  });

  it('days are named from the reader’s today, also across the end of a month', () => {
    expect(day(NOW, NOW)).toBe('Today');
    expect(day(new Date(2026, 10, 15, 23, 59), NOW)).toBe('Yesterday');
    expect(day(new Date(2026, 9, 31), new Date(2026, 10, 1))).toBe('Yesterday');
    expect(day(new Date(2026, 0, 2), NOW)).toBe('2 Jan');
    expect(day(new Date(2025, 10, 16), NOW)).toBe('16 Nov 2025');
  });
});

it('says how long a call took', () => {
  expect([0, 18, 999, 1_000, 4_250, 41_800, 60_000, 212_400].map(took)).toEqual([
    ...['0 s', '18 ms', '999 ms', '1 s', '4.2 s', '41 s', '1:00', '3:32'],
  ]);
});
