import { describe, expect, it } from 'vitest';
import type { DynamoDbService } from './service.ts';
import { readServiceTime } from './service-time.ts';

const answering = (date: number | null): Pick<DynamoDbService, 'readDate'> => ({ readDate: async () => date });

describe('the clock of DynamoDB', () => {
  it('[S12] is our clock, to the millisecond, when the service agrees to the second', async () => {
    const before = Date.now();

    const time = await readServiceTime(answering(Math.floor(before / 1000) * 1000), 'any');

    expect(time).toBeGreaterThanOrEqual(before);
    expect(time).toBeLessThanOrEqual(Date.now());
  });

  it.each([-3_600_000, 3_600_000])('[S12] is the service’s clock when ours is wrong by %i ms', async (skew) => {
    const date = Math.floor((Date.now() + skew) / 1000) * 1000;

    const time = await readServiceTime(answering(date), 'any');

    expect(time).toBe(date + 500);
  });

  it('[S12] is our clock when the service sends no time', async () => {
    const before = Date.now();

    const time = await readServiceTime(answering(null), 'any');

    expect(time).toBeGreaterThanOrEqual(before);
  });
});
