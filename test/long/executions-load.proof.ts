import { env } from 'node:process';
import { describe, expect, it } from 'vitest';
import { PLANTS, type Plant } from '../e2e/durability/planted-store.ts';
import { faultsOfKills, faultsOfLoad } from '../e2e/executions/load.ts';
import type { Plan } from '../e2e/executions/report-runs.ts';
import { openPlace } from '../e2e/world.ts';
import { ownPostgres } from './own-postgres.ts';
import { SEED } from './seed.ts';

const RUNS = Number(env.ERRAND_RUNS ?? 10_000);
const KILLS = Number(env.ERRAND_KILL_CYCLES ?? 500);
const PLAN: Plan = { runs: RUNS, steps: 20, reporters: 50 };
/** More runs than the reporters finish between the kills. */
const PLAN_OF_KILLS: Plan = { ...PLAN, runs: Math.max(200, KILLS * 20) };

const postgresUrl = ownPostgres();

describe.each(['sqlite', 'postgres'] as const)('runs that 50 reporters report at once on %s', (backend) => {
  it(
    `lose no step of ${RUNS} runs, and keep the order of each`,
    async () => {
      await using place = await openPlace(backend, postgresUrl());

      expect(await faultsOfLoad(place, PLAN)).toEqual([]);
    },
    120_000 + RUNS * 120,
  );

  it(
    `keep acknowledged writes exactly once, over ${KILLS} kills (seed ${SEED})`,
    async () => {
      await using place = await openPlace(backend, postgresUrl());

      const { faults, productive } = await faultsOfKills(place, { plan: PLAN_OF_KILLS, kills: KILLS, seed: SEED });

      expect(faults).toEqual([]);
      expect(productive).toBeGreaterThan(KILLS / 2);
    },
    120_000 + KILLS * 5_000,
  );
});

// The counterpart of the proof above: a loop that cannot detect these faults would prove nothing.
describe('runs that are reported to a store with a fault', () => {
  it.each(Object.keys(PLANTS) as Plant[])(
    'do not survive the kills with "%s"',
    async (plant) => {
      await using place = await openPlace('sqlite');

      const { faults } = await faultsOfKills(place, { plan: { ...PLAN, runs: 400 }, kills: 20, seed: SEED, plant });

      expect(faults).not.toEqual([]);
    },
    240_000,
  );
});
