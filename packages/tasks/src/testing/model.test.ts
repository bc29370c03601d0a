import { describe, expect, it } from 'vitest';
import type { TaskStore } from '#store';
import { memoryStore } from '#stores/memory';
import { openSqliteStore } from '#stores/sqlite/sqlite-store';
import { times } from '../../../../test/e2e/counts.ts';
import type { StoreSetup } from './check.ts';
import { checkAgainstModel } from './check-against-model.ts';

const IN_MEMORY = times({ whole: 100_000, part: 30_000 });
const IN_SQLITE = times({ whole: 50_000, part: 10_000 });

describe('stores and the model', () => {
  it(`[S1, S2, S3, S4, S5, S6, S7, S8, S9, TEST-07] memory answers ${IN_MEMORY} commands as the model does`, async () => {
    const setup = atWill(async (clock) => memoryStore({ clock }));

    const executed = await checkAgainstModel(setup, { commands: IN_MEMORY });

    expect(executed).toBeGreaterThanOrEqual(IN_MEMORY);
  });

  it(`[S1, S2, S3, S4, S5, S6, S7, S8, S9, TEST-07] SQLite answers ${IN_SQLITE} commands as the model does`, async () => {
    const setup = atWill((clock) => openSqliteStore({ path: ':memory:', clock }));

    const executed = await checkAgainstModel(setup, { commands: IN_SQLITE });

    expect(executed).toBeGreaterThanOrEqual(IN_SQLITE);
  });
});

/** Makes a setup whose clock stands still until it is moved. */
function atWill(open: (clock: () => number) => Promise<TaskStore>): StoreSetup {
  let at = 1_800_000_000_000;
  const advance = async (ms: number): Promise<void> => {
    at += ms;
  };
  return { open: () => open(() => at), advance };
}
