import { env } from 'node:process';
import { describe, expect, it } from 'vitest';
import { STOP_PLANTS } from '../e2e/board-durability/plants.ts';
import { openSite } from '../e2e/board-durability/site.ts';
import { stopWorkers } from '../e2e/board-durability/stop-workers.ts';
import { freshPostgres } from '../e2e/database.ts';
import { ownPostgres } from './own-postgres.ts';
import { SEED } from './seed.ts';

const ROUNDS = Number(env.ERRAND_BOARD_STOPS ?? 50);

const postgresUrl = ownPostgres();

describe(`a worker that is stopped until its lease is over (seed ${SEED})`, () => {
  it(
    `ends nothing that others have ended, ${ROUNDS} times`,
    async () => {
      await using site = await openSite(await freshPostgres(postgresUrl()));

      const { faults, met } = await stopWorkers(site, { rounds: ROUNDS, seed: SEED });

      expect(faults).toEqual([]);
      expect(met.preparing + met.running + met.ending + met.collecting).toBeGreaterThan(ROUNDS / 2);
    },
    120_000 + ROUNDS * 30_000,
  );
});

// The counterpart of the proof above: pauses that cannot reveal these faults would prove nothing.
describe(`a worker with a fault that is stopped (seed ${SEED})`, () => {
  it.each(Object.keys(STOP_PLANTS) as (keyof typeof STOP_PLANTS)[])(
    'is found out with "%s"',
    async (plant) => {
      await using site = await openSite(await freshPostgres(postgresUrl()));

      const { faults } = await stopWorkers(site, { rounds: 12, seed: SEED, plant });

      expect(faults).not.toEqual([]);
    },
    900_000,
  );
});
