import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ALL_PLANTS, editsOf, withFault } from './plants.ts';

const SOURCE = new URL('../../../packages/server/src/', import.meta.url);

// The proofs that plant these faults run in `test:long` alone, where a fault that has moved is noticed late.
it.each(ALL_PLANTS)('the fault "%s" can be planted in the source as it is', (plant) => {
  const edits = editsOf(plant);

  for (const { file } of edits) {
    const source = readFileSync(new URL(file, SOURCE), 'utf8');
    expect(withFault(source, file, edits)).not.toBe(source);
  }
  expect(edits).not.toEqual([]);
});
