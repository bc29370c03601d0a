import { env } from 'node:process';
import { describe, expect, it } from 'vitest';
import type { Plant } from '../e2e/board-durability/plants.ts';
import { ACCESS_PLANTS, FILE_ACCESS_PLANTS } from '../e2e/board-durability/server-plants.ts';
import { openTwoServers } from '../e2e/two-servers/two-servers.ts';
import { ownPostgres } from './own-postgres.ts';
import { proveRevocation } from './revocation/prove-revocation.ts';
import { SEED } from './seed.ts';
import { showFigures } from './show-figures.ts';

const REQUESTS = Number(env.ERRAND_REVOCATION_REQUESTS ?? 10_000);
const ROUND = 200;
const RUN = { seed: SEED, requests: ROUND };
const ROUNDS = Math.ceil(REQUESTS / ROUND);

const postgresUrl = ownPostgres();

describe.each(['postgres', 'sqlite'] as const)(
  `a token that was ended, on two servers with one %s (seed ${SEED})`,
  (backend) => {
    it(
      `is refused by both from then on, ${REQUESTS} times, and its streams close within 5 s`,
      async () => {
        await using servers = await openTwoServers(backend, postgresUrl());

        const { faults, ...figures } = await proveRevocation(servers, { ...RUN, rounds: ROUNDS });

        showFigures(`revocation on ${backend}`, { ...figures, faults: faults.length });
        expect(faults).toEqual([]);
        expect(figures.requests).toBeGreaterThanOrEqual(REQUESTS);
        expect(figures.changes).toBeGreaterThan(ROUNDS);
      },
      120_000 + ROUNDS * 30_000,
    );
  },
);

const PLANTS: readonly (readonly ['postgres' | 'sqlite', Plant])[] = [
  ...(Object.keys(ACCESS_PLANTS) as Plant[]).map((plant) => ['postgres', plant] as const),
  ...(Object.keys(FILE_ACCESS_PLANTS) as Plant[]).map((plant) => ['sqlite', plant] as const),
];

// The counterpart of the proof above: requests that such servers refuse would prove nothing.
describe(`a token that was ended, on two servers with a fault (seed ${SEED})`, () => {
  it.each(PLANTS)(
    'is accepted on %s with "%s"',
    async (backend, plant) => {
      await using servers = await openTwoServers(backend, postgresUrl(), plant);

      const { passed } = await proveRevocation(servers, { ...RUN, rounds: 3, requests: 60 });

      expect(passed).toBeGreaterThan(0);
    },
    600_000,
  );
});
