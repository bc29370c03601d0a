import { expect } from 'vitest';
import type { StoreCheck } from '#testing/check';
import { checkAgainstModel } from '#testing/check-against-model';

const COMMANDS = 300;

/** Rules S1 to S9 together, in random orders. */
export const COMPARISON: readonly StoreCheck[] = [
  {
    title: `[S1, S2, S3, S4, S5, S6, S7, S8, S9, TEST-07] answers ${COMMANDS} random commands as the model does`,
    run: async (setup) => {
      const executed = await checkAgainstModel(setup, { commands: COMMANDS });

      expect(executed).toBeGreaterThanOrEqual(COMMANDS);
    },
  },
];
