import { describe, expect, it } from 'vitest';
import { memoryStore } from '#stores/memory';
import type { StoreCheck } from './check.ts';
import { describeTaskStore, reasonToSkip } from './contract.ts';

const setup = { open: async () => memoryStore() };
const check: StoreCheck = { title: '[S7, S3] claims', run: async () => undefined };

describe('a check of the contract', () => {
  it('[S7] runs unless a gap in what it proves is declared, and then says why not', () => {
    expect(reasonToSkip(check, setup, {})).toBeUndefined();
    expect(reasonToSkip(check, setup, { S10: 'no signals' })).toBeUndefined();
    expect(reasonToSkip(check, setup, { S3: 'one writer only' })).toBe('one writer only');
  });

  it('[S7] is left out by a known rule only', () => {
    const declare = () => describeTaskStore('unknown gap', setup.open, { gaps: { S99: 'no reason' } });

    expect(declare).toThrow('S99');
  });

  it('[S7] that needs two objects on one store runs where there can be two', () => {
    const shared = { ...check, shared: true };

    expect(reasonToSkip(shared, setup, {})).toMatch(/second object/);
    expect(reasonToSkip(shared, { ...setup, second: setup.open }, {})).toBeUndefined();
  });
});
