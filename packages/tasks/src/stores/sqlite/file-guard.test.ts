import { describe, expect, it } from 'vitest';
import { isLogCut } from './file-guard.ts';

/** A log with its index; another process does `meanwhile` after each read. */
function aLog(state: { needed: number; size: number }, meanwhile: () => void = () => {}) {
  const read = (field: 'needed' | 'size') => () => {
    const value = state[field];
    meanwhile();
    return value;
  };
  return isLogCut(read('needed'), read('size'));
}

describe('a write-ahead log', () => {
  it('counts as cut when it is shorter than its index says', () => {
    expect(aLog({ needed: 100, size: 50 })).toBe(true);
    expect(aLog({ needed: 100, size: 100 })).toBe(false);
  });

  it('does not count as cut while another process appends to it', () => {
    const state = { needed: 100, size: 100 };

    const isCut = aLog(state, () => {
      state.size += 100;
      state.needed += 100;
    });

    expect(isCut).toBe(false);
  });

  it('does not count as cut when another process resets it between two reads', () => {
    const state = { needed: 100, size: 100 };

    const isCut = aLog(state, () => {
      state.needed = 0;
      state.size = 0;
    });

    expect(isCut).toBe(false);
  });
});
