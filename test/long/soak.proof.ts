import { env } from 'node:process';
import { describe, expect, it } from 'vitest';
import { SEED } from './seed.ts';
import { type Held, soak } from './soak.ts';

const SECONDS = Number(env.ERRAND_SOAK_SECONDS ?? 60);
const WARM_UP_MS = 15_000;
const MAX_GROWTH: Held = { heap: 4 << 20, files: 8, timers: 8 };

const grown = (before: Held, after: Held): readonly string[] =>
  (['heap', 'files', 'timers'] as const)
    .filter((name) => after[name] - before[name] > MAX_GROWTH[name])
    .map((name) => `${name}: ${before[name]} → ${after[name]}`);

describe(`a server under mixed calls (seed ${SEED})`, () => {
  it(
    `holds no more after ${SECONDS} s of them than before`,
    async () => {
      const report = await soak({ seed: SEED, warm_up_ms: WARM_UP_MS, duration_ms: SECONDS * 1_000 });

      expect(grown(report.before, report.after)).toEqual([]);
      expect(report.calls).toBeGreaterThan(SECONDS * 100);
    },
    120_000 + SECONDS * 1_000,
  );

  // The counterpart of the test above: limits above a leak would prove nothing.
  it('uses more memory with a planted leak', async () => {
    const report = await soak({ seed: SEED, warm_up_ms: 3_000, duration_ms: 10_000, plant: 'leak' });

    expect(grown(report.before, report.after).map((text) => text.split(':')[0])).toEqual(['heap', 'files']);
  }, 120_000);
});
