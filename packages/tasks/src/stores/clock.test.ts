import { afterEach, describe, expect, it, vi } from 'vitest';
import { createLocalClock, createStoreClock } from './clock.ts';

const HOUR_MS = 3_600_000;

afterEach(() => {
  vi.useRealTimers();
});

describe('the clock of a store', () => {
  it('[S12] follows the store, not the clock of this machine', async () => {
    const clock = await createStoreClock(async () => Date.now() + HOUR_MS);

    const ahead = clock.now() - Date.now();
    clock.close();

    expect(ahead).toBeGreaterThan(HOUR_MS - 1_000);
    expect(ahead).toBeLessThan(HOUR_MS + 1_000);
  });

  it('[S12] reads the store’s clock again when this machine’s clock jumps, and does not jump with it', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const store = { now: 1_000_000, reads: 0 };
    const clock = await createStoreClock(async () => {
      store.reads += 1;
      return store.now;
    });
    const { reads } = store;

    vi.setSystemTime(Date.now() + HOUR_MS);
    store.now += 10_000;
    const before = clock.now();
    await vi.waitFor(() => expect(clock.now()).toBeGreaterThanOrEqual(1_010_000));
    clock.close();

    expect(before).toBeLessThan(1_010_000);
    expect(store.reads).toBe(reads + 1);
  });

  it('[S12] reads the store again after half a minute', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    const store = { now: 1_000_000 };
    const clock = await createStoreClock(async () => store.now);

    store.now += 10_000;
    await vi.advanceTimersByTimeAsync(30_000);
    const now = clock.now();
    clock.close();

    expect(now).toBeGreaterThanOrEqual(1_010_000);
  });

  it('[S12] stands still rather than go back with the store', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    const store = { now: 1_000_000 };
    const clock = await createStoreClock(async () => store.now);
    const before = clock.now();

    store.now -= HOUR_MS;
    await vi.advanceTimersByTimeAsync(30_000);
    const after = clock.now();
    clock.close();

    expect(after).toBeGreaterThanOrEqual(before);
    expect(after).toBeLessThan(before + HOUR_MS);
  });

  it('[S12, S14] continues while the store is unavailable', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    const store = { away: false };
    const clock = await createStoreClock(async () => {
      if (store.away) throw new Error('away');
      return 1_000_000;
    });

    store.away = true;
    await vi.advanceTimersByTimeAsync(60_000);
    const now = clock.now();
    clock.close();

    expect(now).toBeGreaterThanOrEqual(1_000_000);
  });
});

describe('the clock of a machine', () => {
  it('[S12] continues at its own pace when the machine’s clock is set back', () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    const clock = createLocalClock();
    const before = clock.now();

    vi.setSystemTime(Date.now() - HOUR_MS);
    vi.advanceTimersByTime(500);

    expect(clock.now()).toBe(before + 500);
  });

  it('[S12] goes forward with the machine’s clock, as after a sleep', () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    const clock = createLocalClock();
    const before = clock.now();

    vi.setSystemTime(Date.now() + HOUR_MS);

    expect(clock.now()).toBe(before + HOUR_MS);
  });

  it('[S12] moves forward to the time of other processes when it is behind', () => {
    const time = { now: 1_000 };
    const clock = createLocalClock(() => time.now);

    clock.catchUp(5_000);
    clock.catchUp(2_000);
    time.now += 10;

    expect(clock.now()).toBe(5_010);
  });
});
