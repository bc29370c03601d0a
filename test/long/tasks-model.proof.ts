import { env } from 'node:process';
import { describe, expect, it } from 'vitest';
import { memoryStore } from '../../packages/tasks/src/stores/memory.ts';
import { openSqliteStore } from '../../packages/tasks/src/stores/sqlite/sqlite-store.ts';
import { checkAgainstModel, type StoreSetup } from '../../packages/tasks/src/testing/index.ts';
import { SEED } from './seed.ts';

const COMMANDS = Number(env.ERRAND_MODEL_COMMANDS ?? 2_000_000);

describe(`task stores and the model (seed ${SEED})`, () => {
  it(
    `[S1, S2, S3, S4, S5, S6, S7, S8, S9] memory answers ${COMMANDS} commands as the model does`,
    async () => {
      const setup = atWill((clock) => memoryStore({ clock }));

      const executed = await checkAgainstModel(setup, { commands: COMMANDS, seed: SEED });

      expect(executed).toBeGreaterThanOrEqual(COMMANDS);
    },
    60_000 + COMMANDS,
  );

  it(
    `[S1, S2, S3, S4, S5, S6, S7, S8, S9] SQLite answers ${COMMANDS} commands as the model does`,
    async () => {
      const setup = atWill((clock) => openSqliteStore({ path: ':memory:', clock }));

      const executed = await checkAgainstModel(setup, { commands: COMMANDS, seed: SEED });

      expect(executed).toBeGreaterThanOrEqual(COMMANDS);
    },
    60_000 + COMMANDS,
  );
});

type OpenAt = (clock: () => number) => ReturnType<StoreSetup['open']> | Awaited<ReturnType<StoreSetup['open']>>;

/** Makes a setup whose clock stands still until it is moved. */
function atWill(open: OpenAt): StoreSetup {
  let at = 1_800_000_000_000;
  return {
    open: async () => open(() => at),
    advance: async (ms) => {
      at += ms;
    },
  };
}
