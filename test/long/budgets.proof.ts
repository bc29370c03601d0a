import { env } from 'node:process';
import { describe, expect, it } from 'vitest';
import { BUDGET_PLANTS } from '../e2e/board-durability/plants.ts';
import { spend } from '../e2e/budgets/spend.ts';
import { freshPostgres } from '../e2e/database.ts';
import { ownPostgres } from './own-postgres.ts';
import { SEED } from './seed.ts';

const RUNS = Number(env.ERRAND_BUDGET_RUNS ?? 500);
/** Each round has its own limits. */
const ROUNDS = 10;

const postgresUrl = ownPostgres();

describe(`budgets of runs that report to two servers at once (seed ${SEED})`, () => {
  it(`[L-BUDGET] are exceeded by no more than one report, of ${RUNS} runs`, async () => {
    const database_url = await freshPostgres(postgresUrl());
    let ended = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const found = await spend({ database_url, runs: RUNS / ROUNDS, seed: SEED + round });
      expect(found.faults).toEqual([]);
      ended += found.ended;
    }

    expect(ended).toBeGreaterThan(RUNS / 2);
  }, 900_000);
});

// The counterpart of the proof above: reports that cannot reveal these faults would prove nothing.
describe(`budgets that are kept with a fault (seed ${SEED})`, () => {
  it.each(Object.keys(BUDGET_PLANTS) as (keyof typeof BUDGET_PLANTS)[])(
    'are found out with "%s"',
    async (plant) => {
      const database_url = await freshPostgres(postgresUrl());

      const { faults } = await spend({ database_url, runs: 50, seed: SEED, plant });

      expect(faults).not.toEqual([]);
    },
    900_000,
  );
});
