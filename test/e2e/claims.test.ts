import { env } from 'node:process';
import { describe, expect, inject, it } from 'vitest';
import { proveClaims } from './claims/prove-claims.ts';
import { openTwoServers } from './two-servers/two-servers.ts';

const SEED = Number(env.ERRAND_SEED ?? Date.now() % 1_000_000);

describe('claims of agents on two servers', () => {
  it(`have an order that explains every answer (seed ${SEED})`, async () => {
    await using servers = await openTwoServers('postgres', inject('postgresUrl'));

    const verdict = await proveClaims(servers, { seed: SEED, rounds: 1, players: 5, calls: 120, kills: false });

    expect(verdict).toEqual({ faults: [], calls: 120, kills: 0, unknown: 0 });
  });
});
