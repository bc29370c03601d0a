import { describe, expect, it } from 'vitest';
import { createFairQueue } from './fair-queue.ts';

const MAX_WAIT_MS = 1_000;

/** A queue on a clock that only work advances, after enough work that everyone must wait. */
async function aBusyProcessor() {
  const clock = { now: 0 };
  const queue = createFairQueue({ max_wait_ms: MAX_WAIT_MS, now: () => clock.now });
  const served: string[] = [];
  const work = async (holder: string, cost_ms: number): Promise<void> => {
    await queue.take(holder);
    clock.now += cost_ms;
    served.push(holder);
  };
  await work('first', 50);
  served.length = 0;
  return { clock, served, work };
}

describe('the fair queue', () => {
  it('let requests through at once while there is little to do', async () => {
    const queue = createFairQueue({ max_wait_ms: MAX_WAIT_MS, now: () => 0 });
    let isServed = false;

    void queue.take('a').then(() => {
      isServed = true;
    });
    await Promise.resolve();

    expect(isServed).toBe(true);
  });

  it('serve a holder with one request before the many of another', async () => {
    const { served, work } = await aBusyProcessor();

    await Promise.all([...Array.from({ length: 5 }, () => work('greedy', 20)), work('modest', 1)]);

    expect(served).toEqual(['greedy', 'modest', 'greedy', 'greedy', 'greedy', 'greedy']);
  });

  it('share time, not the number of requests', async () => {
    const { served, work } = await aBusyProcessor();
    const cheap = Array.from({ length: 8 }, () => work('cheap', 5));

    await Promise.all([work('costly', 20), work('costly', 20), ...cheap]);

    expect(served.slice(0, 5)).toEqual(['cheap', 'costly', 'cheap', 'cheap', 'cheap']);
  });

  it('refuse a request that waited too long behind others of its holder', async () => {
    const { served, work } = await aBusyProcessor();

    const [long, late, other] = await Promise.allSettled([
      work('greedy', MAX_WAIT_MS + 1),
      work('greedy', 1),
      work('modest', 1),
    ]);

    expect(long.status).toBe('fulfilled');
    expect(late).toMatchObject({ status: 'rejected', reason: { code: 'rate_limited', retry_after_ms: 1_000 } });
    expect([other.status, served]).toEqual(['rejected', ['greedy']]);
  });
});
