import { describe, expect, it } from 'vitest';
import { createShares } from './shares.ts';

/** Takes from the budget until it refuses. */
function takeAll(budget: ReturnType<typeof createShares>, holder: string): number {
  let count = 0;
  while (budget.take(holder)) count += 1;
  return count;
}

describe('a budget', () => {
  it('gives one holder a quarter', () => {
    expect(takeAll(createShares({ most: 1_000 }), 'a')).toBe(250);
  });

  it('has something left for a newcomer after a dozen holders that take all they can', () => {
    const budget = createShares({ most: 1_000 });

    for (let greedy = 0; greedy < 12; greedy += 1) takeAll(budget, `greedy ${greedy}`);

    expect(takeAll(budget, 'newcomer')).toBeGreaterThan(5);
  });

  it('frees the amount that a holder returns, and forgets an empty holder', () => {
    const budget = createShares({ most: 4 });
    expect(takeAll(budget, 'a')).toBe(1);

    budget.leave('a');

    expect(takeAll(budget, 'a')).toBe(1);
  });

  it('never gives more than there is', () => {
    const budget = createShares({ most: 100 });

    expect(budget.take('a', 101)).toBe(false);
    expect(budget.take('a', 100)).toBe(true);
    expect(budget.take('b')).toBe(false);
    expect(budget.isFull()).toBe(true);
  });

  it('gives no holder more than its own limit', () => {
    expect(takeAll(createShares({ most: 1_000, each: 10 }), 'a')).toBe(10);
  });
});
