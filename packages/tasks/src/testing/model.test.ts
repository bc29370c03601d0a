import { describe, expect, it } from 'vitest';
import type { TaskStore } from '#store';
import { memoryStore } from '#stores/memory';
import { openSqliteStore } from '#stores/sqlite/sqlite-store';
import type { StoreSetup } from './check.ts';
import { checkAgainstModel } from './check-against-model.ts';

describe('stores and the model', () => {
  it('[S1, S2, S3, S4, S5, S6, S7, S8, S9, TEST-07] memory answers 100,000 commands as the model does', async () => {
    const setup = atWill(async (clock) => memoryStore({ clock }));

    const executed = await checkAgainstModel(setup, { commands: 100_000 });

    expect(executed).toBeGreaterThanOrEqual(100_000);
  }, 60_000);

  it('[S1, S2, S3, S4, S5, S6, S7, S8, S9, TEST-07] SQLite answers 50,000 commands as the model does', async () => {
    const setup = atWill((clock) => openSqliteStore({ path: ':memory:', clock }));

    const executed = await checkAgainstModel(setup, { commands: 50_000 });

    expect(executed).toBeGreaterThanOrEqual(50_000);
  }, 60_000);
});

/** Makes a setup whose clock stands still until it is moved. */
function atWill(open: (clock: () => number) => Promise<TaskStore>): StoreSetup {
  let at = 1_800_000_000_000;
  const advance = async (ms: number): Promise<void> => {
    at += ms;
  };
  return { open: () => open(() => at), advance };
}
