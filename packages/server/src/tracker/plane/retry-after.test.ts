import { describe, expect, it } from 'vitest';
import { waitMs } from './retry-after.ts';

const NOW = Date.parse('2026-01-01T00:00:00.000Z');

const wait = (value: string, tries = 1): number => waitMs(new Headers({ 'retry-after': value }), tries, NOW);

describe('the wait before the next request to Plane', () => {
  it.each([
    ['0', 1_000],
    ['-5', 1_000],
    ['', 1_000],
    ['soon', 1_000],
    ['7', 7_000],
    ['1e308', 3_600_000],
    ['1e999', 3_600_000],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 1_000],
    ['Fri, 31 Dec 9999 23:59:59 GMT', 3_600_000],
  ])('is reasonable for %j', (value, expected) => {
    expect(wait(value)).toBe(expected);
  });

  it('ends at the given date', () => {
    expect(wait(new Date(NOW + 600_000).toUTCString())).toBe(600_000);
  });

  it('grows with the tries', () => {
    expect([1, 2, 3].map((tries) => wait('0', tries))).toEqual([1_000, 2_000, 4_000]);
  });
});
