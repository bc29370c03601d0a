import { expect, it } from 'vitest';
import { percentile } from './percentile.ts';

it('takes the value that a share of the numbers does not exceed', () => {
  expect(percentile([9, 1, 5], 0.5)).toBe(5);
  expect(percentile([9, 1, 5], 0.99)).toBe(9);
  expect(percentile([], 0.5)).toBe(0);
});
