import { describe, expect, it } from 'vitest';
import { comparePairs } from '../e2e/tasker/argument-pairs.ts';
import { SEED } from './seed.ts';

const PAIRS = 2_000_000;

describe('the fingerprint of arguments', () => {
  it(`[TSK-39, TSK-40] is the same for equal arguments and only for those, in ${PAIRS} pairs (seed ${SEED})`, () => {
    const { faults } = comparePairs(PAIRS, SEED);

    expect(faults.slice(0, 3), `${faults.length} faults`).toEqual([]);
  }, 1_800_000);
});
