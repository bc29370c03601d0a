import { join } from 'node:path';
import { env } from 'node:process';
import { describe, expect, it } from 'vitest';
import { adminToken } from '../e2e/admin.ts';
import { judge, verifyChain } from '../e2e/durability/oracle.ts';
import { createRandom } from '../e2e/durability/random.ts';
import { serve, temporaryFolder } from '../e2e/program.ts';
import { countCalls } from './count-calls.ts';
import { fillAndFree } from './full-disk.ts';
import { reopen } from './reopen.ts';
import { runWriter } from './run-writer.ts';
import { SEED } from './seed.ts';
import { mountSmallDisk } from './small-disk.ts';

const FILLINGS = Number(env.ERRAND_FILLINGS ?? 10);
const POINTS = Number(env.ERRAND_DISK_POINTS ?? 8);
const WRITER = { writes: 90, seed: SEED, tries: 3 };

describe('a disk that is filled and freed', () => {
  it.for([
    { megabytes: 4, writes: 1 },
    { megabytes: 16, writes: 100 },
  ])(
    `refuses writes, answers reads, heals by itself and loses nothing, ${FILLINGS} times ($megabytes MB)`,
    { timeout: 60_000 + FILLINGS * 15_000 },
    async ({ megabytes, writes }, { skip }) => {
      const disk = await mountSmallDisk(megabytes);
      if (typeof disk === 'string') return skip(disk);
      await using opened = new AsyncDisposableStack();
      opened.use(disk);
      const token = await adminToken({ data: disk.path });
      const server = opened.use(await serve({ data: disk.path }));

      const report = await fillAndFree({ disk, origin: server.origin, token, fillings: FILLINGS, writes });
      const code = await server.stop();

      expect(await judge(disk.path, report.ledger)).toEqual([]);
      expect(await verifyChain(disk.path)).toBe(true);
      expect(Math.min(...report.refused)).toBeGreaterThan(0);
      expect(report.reads).toEqual(new Set([200]));
      expect(code).toBe(0);
    },
  );
});

describe(`a disk that fails at a system call (seed ${SEED})`, () => {
  it.each([
    { call: 'fsync', error: 'EIO', again: '', often: 'once' },
    { call: 'fsync', error: 'EIO', again: '+', often: 'from then on' },
    { call: 'pwrite64', error: 'ENOSPC', again: '', often: 'once' },
    { call: 'pwrite64', error: 'ENOSPC', again: '+', often: 'from then on' },
    { call: 'pwrite64', error: 'EIO', again: '+47', often: 'now and then' },
  ])(
    `loses nothing that was answered: $error of $call $often, at ${POINTS} points`,
    async ({ call, error, again }) => {
      const random = createRandom(SEED);
      const made = (await countCalls([call], WRITER)).get(call) ?? 0;
      const faults: string[] = [];
      let refused = 0;

      for (let point = 0; point < POINTS; point++) {
        await using folder = await temporaryFolder();
        const when = 1 + Math.floor(((point + random.next()) * made) / POINTS);
        const inject = ['-e', `trace=${call}`, '-e', `inject=${call}:error=${error}:when=${when}${again}`];
        const options = { ...WRITER, path: join(folder.path, 'errand.db') };
        const written = await runWriter(options, ['--seccomp-bpf', '-f', '-o', '/dev/null', ...inject]);
        refused += written.refused;
        const found = await reopen({ data: folder.path, ledger: written.ledger, resend: true });
        faults.push(...found.map((fault) => `${call} ${when}${again}: ${fault}`));
      }

      expect(faults).toEqual([]);
      expect(refused).toBeGreaterThan(0);
    },
    60_000 + POINTS * 10_000,
  );
});
