import { env } from 'node:process';
import { describe, expect, it } from 'vitest';
import { killBoard } from '../e2e/board-durability/kill-board.ts';
import { killShips } from '../e2e/board-durability/kill-ships.ts';
import { KILL_PLANTS, SHIP_PLANTS } from '../e2e/board-durability/plants.ts';
import { openSite } from '../e2e/board-durability/site.ts';
import { SEED } from './seed.ts';

const KILLS = Number(env.ERRAND_BOARD_KILLS ?? 100);
const PLAYERS = 4;

describe(`agents at work on a server that is killed (seed ${SEED})`, () => {
  it(
    `are started once each, ended, and cleared up after, over ${KILLS} kills`,
    async () => {
      await using site = await openSite();

      const { faults, met } = await killBoard(site, { kills: KILLS, players: PLAYERS, seed: SEED });

      expect(faults).toEqual([]);
      // Check that the kills came while there was something to lose.
      expect(Math.min(...Object.values(met))).toBeGreaterThan(KILLS / 10);
    },
    240_000 + KILLS * 15_000,
  );
});

// The counterpart of the proof above: kills that cannot reveal these faults would prove nothing.
describe(`agents at work on a server with a fault (seed ${SEED})`, () => {
  it.each(Object.keys(KILL_PLANTS) as (keyof typeof KILL_PLANTS)[])(
    'do not survive the kills with "%s"',
    async (plant) => {
      await using site = await openSite();

      const { faults } = await killBoard(site, { kills: 12, players: PLAYERS, seed: SEED, plant });

      expect(faults).not.toEqual([]);
    },
    600_000,
  );
});

describe(`merges on a server that is killed (seed ${SEED})`, () => {
  it(
    `are made once in all repositories, over ${KILLS} kills`,
    async () => {
      await using site = await openSite();

      const { faults, met } = await killShips(site, { kills: KILLS, seed: SEED });

      expect(faults).toEqual([]);
      expect(Math.min(met.none, met.committing)).toBeGreaterThan(KILLS / 10);
    },
    240_000 + KILLS * 15_000,
  );

  it.each(Object.keys(SHIP_PLANTS) as (keyof typeof SHIP_PLANTS)[])(
    'do not survive the kills with "%s"',
    async (plant) => {
      await using site = await openSite();

      const { faults } = await killShips(site, { kills: 4, seed: SEED, plant });

      expect(faults).not.toEqual([]);
    },
    600_000,
  );
});
