import { env } from 'node:process';
import { describe, expect, it } from 'vitest';
import { verifyChain } from '../e2e/durability/oracle.ts';
import { killWhileCreating } from '../e2e/tasker/kill-cards.ts';
import { openPlace } from '../e2e/world.ts';
import { ownPostgres } from './own-postgres.ts';
import { SEED } from './seed.ts';

const CYCLES = Number(env.ERRAND_KILL_CYCLES ?? 1_000);

const postgresUrl = ownPostgres();

describe(`cards that are created while the server is killed (seed ${SEED})`, () => {
  it.each(['sqlite', 'postgres'] as const)(
    `are there once each after ${CYCLES} kills, on %s`,
    async (backend) => {
      await using place = await openPlace(backend, postgresUrl());

      const verdict = await killWhileCreating(place, { cycles: CYCLES, seed: SEED });

      expect(verdict.faults).toEqual([]);
      expect(verdict.productive).toBeGreaterThan(CYCLES / 2);
      expect(await verifyChain(place.data, place.database_url)).toBe(true);
    },
    60_000 + CYCLES * 3_000,
  );
});
