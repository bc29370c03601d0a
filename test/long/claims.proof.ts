import { env } from 'node:process';
import { describe, expect, it } from 'vitest';
import { CLAIM_PLANTS } from '../e2e/board-durability/server-plants.ts';
import { proveClaims } from '../e2e/claims/prove-claims.ts';
import { openTwoServers } from '../e2e/two-servers/two-servers.ts';
import { ownPostgres } from './own-postgres.ts';
import { SEED } from './seed.ts';
import { showFigures } from './show-figures.ts';

const ROUNDS = Number(env.ERRAND_CLAIM_ROUNDS ?? 20);
const GAME = { seed: SEED, players: 8, calls: 600 };

const postgresUrl = ownPostgres();

describe.each(['postgres', 'sqlite'] as const)(`claims on two servers with one %s (seed ${SEED})`, (backend) => {
  it(
    `have an order that explains every answer, over ${ROUNDS} rounds with kills`,
    async () => {
      await using servers = await openTwoServers(backend, postgresUrl());

      const verdict = await proveClaims(servers, { ...GAME, rounds: ROUNDS, kills: true });

      showFigures(`claims on ${backend}`, { ...verdict, faults: verdict.faults.length });
      expect(verdict.faults).toEqual([]);
      expect(verdict.kills).toBeGreaterThanOrEqual(ROUNDS / 2);
    },
    120_000 + ROUNDS * 60_000,
  );
});

// The counterpart of the proof above: histories that such servers can explain would prove nothing.
describe(`claims on two servers with a fault (seed ${SEED})`, () => {
  it.each(Object.keys(CLAIM_PLANTS) as (keyof typeof CLAIM_PLANTS)[])(
    'have no order with "%s"',
    async (plant) => {
      await using servers = await openTwoServers('postgres', postgresUrl(), plant);

      const { faults } = await proveClaims(servers, { ...GAME, rounds: 5, kills: false });

      expect(faults.filter((fault) => fault.startsWith('no order'))).not.toEqual([]);
    },
    600_000,
  );
});
