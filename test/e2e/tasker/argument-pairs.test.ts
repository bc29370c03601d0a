import { describe, expect, it } from 'vitest';
import { comparePairs } from './argument-pairs.ts';

const PAIRS = 10_000;
const SEED = Date.now() % 1_000_000;

describe('the fingerprint of arguments', () => {
  it(`[TSK-39, TSK-40] is the same for equal arguments and only for those, in ${PAIRS} pairs (seed ${SEED})`, () => {
    const { equal, different, faults } = comparePairs(PAIRS, SEED);

    expect(faults.slice(0, 3), `${faults.length} faults`).toEqual([]);
    expect(equal).toBeGreaterThan(PAIRS / 10);
    expect(different).toBeGreaterThan(PAIRS / 10);
  });
});
