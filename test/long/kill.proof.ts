import { env } from 'node:process';
import { describe, expect, it } from 'vitest';
import { adminToken } from '../e2e/admin.ts';
import { killLoop } from '../e2e/durability/kill-loop.ts';
import { verifyChain } from '../e2e/durability/oracle.ts';
import { temporaryFolder } from '../e2e/program.ts';
import { SEED } from './seed.ts';

const CYCLES = Number(env.ERRAND_KILL_CYCLES ?? 2_000);

describe(`a server that is killed under load (seed ${SEED})`, () => {
  it(
    `loses nothing that was answered and doubles nothing, ${CYCLES} times`,
    async () => {
      await using folder = await temporaryFolder();
      const token = await adminToken({ data: folder.path });

      const verdict = await killLoop({ data: folder.path, token, cycles: CYCLES, seed: SEED });

      expect(verdict.faults).toEqual([]);
      expect(verdict.productive).toBeGreaterThan(CYCLES / 2);
      expect(await verifyChain(folder.path)).toBe(true);
    },
    60_000 + CYCLES * 1_500,
  );
});
