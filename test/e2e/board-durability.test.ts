import { env } from 'node:process';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { killBoard } from './board-durability/kill-board.ts';
import { killShips } from './board-durability/kill-ships.ts';
import { endLaunched } from './board-durability/launch.ts';
import { openSite } from './board-durability/site.ts';
import { stopWorkers } from './board-durability/stop-workers.ts';
import { times } from './counts.ts';
import { freshPostgres } from './database.ts';

const SEED = Number(env.ERRAND_SEED ?? Date.now() % 1_000_000);
const KILLS = times({ whole: 6, part: 3 });
const SHIP_KILLS = times({ whole: 10, part: 2 });
const ROUNDS = times({ whole: 5, part: 2 });

afterAll(endLaunched);

// In parallel: both spend most of their time waiting for leases and agents.
describe.concurrent(`agents at work (seed ${SEED})`, () => {
  it(`are each started once, ended and cleaned up, over ${KILLS} kills of their server`, async () => {
    await using site = await openSite();

    const { faults, met } = await killBoard(site, { kills: KILLS, players: 2, seed: SEED, as_tasks: false });

    expect(faults).toEqual([]);
    expect(met.running).toBeGreaterThan(0);
  });

  it(`[L-SHIP] are merged once in all repositories or in none, over ${SHIP_KILLS} kills of the server`, async () => {
    await using site = await openSite();

    const { faults, met } = await killShips(site, { kills: SHIP_KILLS, seed: SEED });

    expect(faults).toEqual([]);
    expect(met.none + met.committing).toBeGreaterThan(0);
  });

  it(`are each ended once, while their worker is stopped ${ROUNDS} times for longer than its lease`, async () => {
    await using site = await openSite(await freshPostgres(inject('postgresUrl')));

    const { faults } = await stopWorkers(site, { rounds: ROUNDS, seed: SEED });

    expect(faults).toEqual([]);
  });
});
