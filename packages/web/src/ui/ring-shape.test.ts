import { describe, expect, it } from 'vitest';
import { leaseLeft, ringDashes, ringPath } from './ring-shape.ts';

describe('ringPath', () => {
  it('draws the outlines that the design draws', () => {
    expect(ringPath(32)).toBe(
      'M20 1H27.4A11.6 11.6 0 0 1 39 12.6V27.4A11.6 11.6 0 0 1 27.4 39H12.6A11.6 11.6 0 0 1 1 27.4V12.6A11.6 11.6 0 0 1 12.6 1Z',
    );
    expect(ringPath(20)).toBe(
      'M14 1H18.9A8.1 8.1 0 0 1 27 9.1V18.9A8.1 8.1 0 0 1 18.9 27H9.1A8.1 8.1 0 0 1 1 18.9V9.1A8.1 8.1 0 0 1 9.1 1Z',
    );
  });
});

describe('ringDashes', () => {
  it('shows what is left of a claim, and never more or less than a ring', () => {
    expect(ringDashes('claimed', 0.72)).toBe('72 100');
    expect(ringDashes('waiting', 2)).toBe('100 100');
    expect(ringDashes('stalled', -1)).toBe('0 100');
  });

  it('draws quiet and lost with lines of their own, whatever is left', () => {
    expect([ringDashes('quiet', 1), ringDashes('lost', 1)]).toEqual(['2 4', '6 8']);
  });
});

describe('leaseLeft', () => {
  it('runs from one to nothing between the two times', () => {
    expect([0, 100, 150, 200, 300].map((now) => leaseLeft(100, 200, now))).toEqual([1, 1, 0.5, 0, 0]);
  });

  it('is whole where nobody knows the end, and over after an end without a length', () => {
    expect(leaseLeft(undefined, 200, 100)).toBe(1);
    expect(leaseLeft(200, 200, 100)).toBe(1);
    expect(leaseLeft(200, 200, 200)).toBe(0);
  });
});
