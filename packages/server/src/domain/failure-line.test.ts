import { expect, it } from 'vitest';
import { failureLine } from './failure-line.ts';

it('answers the last line with words, shortened', () => {
  expect(failureLine('exit 1\n  refunds.spec.ts:88 failed \n\n', 120)).toBe('refunds.spec.ts:88 failed');
  expect(failureLine('abcdef', 4)).toBe('abc…');
  expect([failureLine(null, 120), failureLine(' \n', 120)]).toEqual([null, null]);
});
