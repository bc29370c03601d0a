import { env } from 'node:process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { killMessages } from '../e2e/board-durability/kill-messages.ts';
import { endLaunched } from '../e2e/board-durability/launch.ts';
import { MESSAGE_PLANTS } from '../e2e/board-durability/plants.ts';
import { temporaryFolder } from '../e2e/program.ts';
import { SEED } from './seed.ts';

const AGENTS = 5;
const MESSAGES = Number(env.ERRAND_MESSAGES ?? 10_000);
const KILLS = Number(env.ERRAND_MESSAGE_KILLS ?? 60);

describe(`messages to agents whose server is killed (seed ${SEED})`, () => {
  it(
    `are each seen at least once, in order, and never again after they were read: ${MESSAGES} over ${KILLS} kills`,
    async () => {
      await using folder = await temporaryFolder();
      onTestFinished(endLaunched);

      const told = await killMessages({
        ...{ folder: folder.path, agents: AGENTS, messages: MESSAGES / AGENTS, kills: KILLS, seed: SEED },
      });

      expect(told.faults.slice(0, 20)).toEqual([]);
      expect(told.sent).toBe(MESSAGES);
      // Check that the kills came while agents were calling.
      expect(told.lost).toBeGreaterThan(KILLS / 4);
    },
    300_000 + KILLS * 60_000,
  );

  // The counterpart: kills that cannot reveal these faults would prove nothing.
  it.each(Object.keys(MESSAGE_PLANTS) as (keyof typeof MESSAGE_PLANTS)[])(
    'do not survive the kills with "%s"',
    async (plant) => {
      await using folder = await temporaryFolder();
      onTestFinished(endLaunched);

      const told = await killMessages({
        ...{ folder: folder.path, agents: AGENTS, messages: 60, kills: 12, seed: SEED, plant },
      });

      expect(told.faults).not.toEqual([]);
    },
    600_000,
  );
});
