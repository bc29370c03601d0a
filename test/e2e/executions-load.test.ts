import { env } from 'node:process';
import { describe, expect, it } from 'vitest';
import { times } from './counts.ts';
import { faultsOfKills, faultsOfLoad } from './executions/load.ts';
import type { Plan } from './executions/report-runs.ts';
import { openPlace } from './world.ts';

const SEED = Number(env.ERRAND_SEED ?? Date.now() % 1_000_000);
const PLAN: Plan = { runs: times({ whole: 200, part: 60 }), steps: 20, reporters: 50 };
const KILLS = times({ whole: 10, part: 4 });

describe('runs that many reporters report at once', () => {
  it('lose no step, and keep the order of each run', async () => {
    await using place = await openPlace('sqlite');

    expect(await faultsOfLoad(place, PLAN)).toEqual([]);
  });

  it(`keep acknowledged writes exactly once, over ${KILLS} kills (seed ${SEED})`, async () => {
    await using place = await openPlace('sqlite');

    const { faults, productive } = await faultsOfKills(place, { plan: PLAN, kills: KILLS, seed: SEED });

    expect(faults).toEqual([]);
    expect(productive).toBe(KILLS);
  });
});
