import { env } from 'node:process';
import { describe, expect, it } from 'vitest';
import { cutPower } from './powerloss/power-cuts.ts';
import { SEED } from './seed.ts';

const IMAGES = Number(env.ERRAND_IMAGES ?? 200);
const WRITES = 1_000;
const TIMEOUT_MS = 60_000 + IMAGES * 1_000;

describe(`a power cut (seed ${SEED})`, () => {
  it(
    `loses nothing that was answered, at ${IMAGES} places`,
    async () => {
      const findings = await cutPower({ images: IMAGES, writes: WRITES, seed: SEED, tries: 1 });

      expect(findings.faults).toEqual([]);
      expect(findings.acked).toBe(WRITES);
      // One for creating the file, three for closing it, and some between.
      expect(findings.checkpoints).toBeGreaterThan(4);
    },
    TIMEOUT_MS,
  );

  it(
    'loses nothing that was answered on a disk that now and then fails to sync',
    async () => {
      const inject = ['-e', 'inject=fsync,fdatasync:error=EIO:when=20+9'];

      const findings = await cutPower({ images: IMAGES, writes: WRITES, seed: SEED, tries: 5, inject });

      expect(findings.faults).toEqual([]);
      expect(findings.refused).toBeGreaterThan(0);
      expect(findings.acked).toBe(WRITES);
    },
    TIMEOUT_MS,
  );

  // The counterpart of the tests above: power cuts that a store without sync survives would prove nothing.
  it(
    'loses what was answered by a store that does not sync its commits',
    async () => {
      const options = { images: IMAGES, writes: WRITES, seed: SEED, tries: 1 };

      const findings = await cutPower({ ...options, plant: 'no sync' });

      expect(findings.bad).toBeGreaterThan(IMAGES / 4);
      expect(findings.faults.filter((fault) => fault.includes('stored as undefined'))).not.toEqual([]);
    },
    TIMEOUT_MS,
  );
});
