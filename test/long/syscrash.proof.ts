import { join } from 'node:path';
import { env } from 'node:process';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../e2e/durability/random.ts';
import { temporaryFolder } from '../e2e/program.ts';
import { countCalls } from './count-calls.ts';
import type { Plant } from './plants.ts';
import { reopen } from './reopen.ts';
import { runWriter } from './run-writer.ts';
import { SEED } from './seed.ts';

const POINTS = Number(env.ERRAND_CRASH_POINTS ?? 60);
const WRITER = { writes: 90, seed: SEED, tries: 1 };
const CALLS = ['unlink', 'ftruncate', 'fsync', 'pwrite64'] as const;

type SystemCall = (typeof CALLS)[number];

interface Point {
  readonly call: SystemCall;
  /** The number of the call, counted from 1. */
  readonly when: number;
}

// Without --seccomp-bpf, which is faster, but does not deliver injected signals.
const write = (data: string, strace: readonly string[], plant?: Plant) =>
  runWriter({ ...WRITER, path: join(data, 'errand.db'), plant }, ['-f', ...strace]);

/** Chooses points over the whole run, with an equal share for each system call if it occurs often enough. */
async function choosePoints(count: number): Promise<readonly Point[]> {
  const random = createRandom(SEED);
  const points: Point[] = [];
  let left = count;
  for (const [i, [call, made]] of [...(await countCalls(CALLS, WRITER))].entries()) {
    const share = Math.min(made, Math.ceil(left / (CALLS.length - i)));
    left -= share;
    for (let n = 0; n < share; n++) {
      points.push({ call, when: 1 + Math.floor(((n + random.next()) * made) / share) });
    }
  }
  return points;
}

interface Crashes {
  readonly faults: readonly string[];
  readonly crashes: number;
  /** How many crashes came after the first answer and before the last. */
  readonly midway: number;
}

/** Crashes a new writer at each point, and restarts on the data that it left. */
async function crashAt(points: readonly Point[], plant?: Plant): Promise<Crashes> {
  const faults: string[] = [];
  let crashes = 0;
  let midway = 0;
  for (const { call, when } of points) {
    await using folder = await temporaryFolder();
    const crash = ['-e', `trace=${call}`, '-e', `inject=${call}:signal=SIGKILL:when=${when}`, '-o', '/dev/null'];
    const { ledger, signal } = await write(folder.path, crash, plant);
    if (signal === 'SIGKILL') crashes++;
    if (ledger.acked.size > 0 && ledger.unacked.size > 0) midway++;
    const found = await reopen({ data: folder.path, ledger, resend: true });
    faults.push(...found.map((fault) => `${call} ${when}: ${fault}`));
  }
  return { faults, crashes, midway };
}

describe(`a crash at a system call (seed ${SEED})`, () => {
  it(
    `loses nothing that was answered and doubles nothing, at ${POINTS} points`,
    async () => {
      const points = await choosePoints(POINTS);

      const { faults, crashes, midway } = await crashAt(points);

      expect(faults).toEqual([]);
      expect(points).toHaveLength(POINTS);
      expect(crashes).toBeGreaterThan(POINTS * 0.9);
      expect(midway).toBeGreaterThan(POINTS / 5);
    },
    60_000 + POINTS * 5_000,
  );

  // The counterpart of the test above: crashes that this store survives would prove nothing.
  it('detects lost answers of a store that commits after it answers', async () => {
    const points = await choosePoints(12);

    const { faults } = await crashAt(points, 'late commit');

    expect(faults.filter((fault) => fault.includes(': answered as '))).not.toEqual([]);
  }, 120_000);
});
