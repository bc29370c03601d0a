import { env } from 'node:process';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { EARLY_NUMBERS, REPLAY_PLANTS } from '../e2e/board-durability/server-plants.ts';
import { openTwoServers } from '../e2e/two-servers/two-servers.ts';
import { ownPostgres } from './own-postgres.ts';
import { proveReplay, type ReplayVerdict } from './replay/prove-replay.ts';
import { SEED } from './seed.ts';
import { showFigures } from './show-figures.ts';

const KILLS = Number(env.ERRAND_REPLAY_KILLS ?? 40);
const RUN = { seed: SEED, projects: 4, readers: 6 };

const postgresUrl = ownPostgres();

const figuresOf = ({ writers: _, faults, ...figures }: ReplayVerdict) => ({
  ...figures,
  faults: faults.length,
  first: faults[0],
});

async function prepare(database_url: string | undefined, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: database_url });
  await client.connect();
  await client.query(sql);
  await client.end();
}

describe.each(['postgres', 'sqlite'] as const)(`events of two servers with one %s (seed ${SEED})`, (backend) => {
  it(
    `are heard once, in one order and without a gap by all listeners, over ${KILLS} kills`,
    async () => {
      await using servers = await openTwoServers(backend, postgresUrl());

      const verdict = await proveReplay(servers, { ...RUN, kills: KILLS });

      showFigures(`replay on ${backend}`, figuresOf(verdict));
      expect(verdict.faults).toEqual([]);
      expect(verdict.changes).toBeGreaterThan(KILLS * 5);
      if (backend === 'postgres') expect(verdict.left).toBeGreaterThan(KILLS / 10);
    },
    180_000 + KILLS * 20_000,
  );
});

// The counterpart of the proof above: listeners that cannot notice these faults would prove nothing.
describe(`events of two servers with a fault (seed ${SEED})`, () => {
  it.each(Object.keys(REPLAY_PLANTS) as (keyof typeof REPLAY_PLANTS)[])(
    'are not heard so with "%s"',
    async (plant) => {
      await using servers = await openTwoServers('postgres', postgresUrl(), plant);
      await prepare(servers.place.database_url, EARLY_NUMBERS);

      const verdict = await proveReplay(servers, { ...RUN, kills: 6 });

      showFigures(`replay with ${plant}`, { first: verdict.faults[0] });
      expect(verdict.faults.filter((fault) => fault.startsWith('listener'))).not.toEqual([]);
    },
    600_000,
  );
});
