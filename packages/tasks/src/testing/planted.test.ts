import { describe, expect, it } from 'vitest';
import { memoryStore } from '#stores/memory';
import { citedBy, type StoreSetup } from './check.ts';
import { checkAgainstModel } from './check-against-model.ts';
import { COMPARISON } from './checks/comparison.ts';
import { CHECKS } from './checks.ts';
import { PLANTED, type Planted } from './planted.ts';

const COMMANDS = 20_000;

/** Makes a setup with its own clock, so that checks can run in parallel. */
function setupOf(plant: Planted['plant']): StoreSetup {
  let at = 1_800_000_000_000;
  const advance = async (ms: number): Promise<void> => {
    at += ms;
  };
  const clock = (): number => at;
  return { open: async () => plant(memoryStore({ clock }), clock), advance };
}

/** Returns the rules whose own checks fail. */
async function brokenBy(plant: Planted['plant']): Promise<ReadonlySet<string | undefined>> {
  const single = CHECKS.filter((check) => !check.shared && !COMPARISON.includes(check));
  const verdicts = await Promise.allSettled(single.map((check) => check.run(setupOf(plant))));
  return new Set(single.filter((_, i) => verdicts[i]?.status === 'rejected').map((check) => citedBy(check)[0]));
}

describe('a store with one guard removed', () => {
  it('[S1, S2, S3, S4, S5, S6, S7, S8, S9, S10, S11, S12, S13, S16] is distinguished from an intact one', async () => {
    expect(await brokenBy((store) => store)).toStrictEqual(new Set());
  });

  it('[S1, S2, S3, S4, S5, S6, S7, S8, S9, S10, S11, S12, S13, S16] exists for every checked rule', () => {
    const rules = new Set(CHECKS.map((check) => citedBy(check)[0]));

    expect(new Set(PLANTED.flatMap(({ breaks }) => breaks))).toStrictEqual(rules);
  });

  for (const { fault, breaks, plant } of PLANTED) {
    it(`[${breaks.join(', ')}] is noticed by the checks: ${fault}`, async () => {
      const broken = await brokenBy(plant);

      expect(breaks.filter((rule) => !broken.has(rule))).toStrictEqual([]);
    });
  }

  for (const { fault, breaks, plant } of PLANTED.filter(({ model_notices }) => model_notices)) {
    it(`[${breaks.join(', ')}] is noticed by the model: ${fault}`, async () => {
      await expect(checkAgainstModel(setupOf(plant), { commands: COMMANDS })).rejects.toThrow(/seed: -?\d+/);
    });
  }
});
