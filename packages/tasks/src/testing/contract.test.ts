import { describe, expect, it } from 'vitest';
import { memoryStore } from '#stores/memory';
import type { StoreCheck } from './check.ts';
import { describeTaskStore, reasonToSkip } from './contract.ts';

const setup = { open: async () => memoryStore() };
const check: StoreCheck = { title: '[S7, S3] claims', run: async () => undefined };

describe('a check of the contract', () => {
  it('[S7] runs unless a gap in its rules is declared, and then gives the reason', () => {
    expect(reasonToSkip(check, setup, {})).toBeUndefined();
    expect(reasonToSkip(check, setup, { S10: 'no signals' })).toBeUndefined();
    expect(reasonToSkip(check, setup, { S3: 'one writer only' })).toBe('one writer only');
  });

  it('[S7] is skipped only by a known rule', () => {
    const declare = () => describeTaskStore('unknown gap', setup.open, { gaps: { S99: 'no reason' } });

    expect(declare).toThrow('S99');
  });

  it('[S7] that needs two objects on one store runs only when a second can be opened', () => {
    const shared = { ...check, shared: true };

    expect(reasonToSkip(shared, setup, {})).toMatch(/second object/);
    expect(reasonToSkip(shared, { ...setup, second: setup.open }, {})).toBeUndefined();
  });
});
