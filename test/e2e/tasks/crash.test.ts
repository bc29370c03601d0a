import { describe, expect, inject, it } from 'vitest';
import { temporaryFolder } from '../program.ts';
import { type KillRuns, killRuns, type Verdict } from './kill-runs.ts';
import { freshPlace, type Place } from './place.ts';
import { type StopRuns, stopRuns } from './stop-runs.ts';
import type { Point } from './watched-store.ts';

const servers = { postgres_url: inject('postgresUrl'), redis_url: inject('redisUrl') };

async function killed(kind: Place['kind'], more: Omit<KillRuns, 'place' | 'folder'>): Promise<Verdict> {
  await using folder = await temporaryFolder();
  return await killRuns({ place: freshPlace(kind, folder.path, servers), folder: folder.path, ...more });
}

async function stopped(kind: Place['kind'], more: Omit<StopRuns, 'place' | 'folder'>): Promise<readonly string[]> {
  await using folder = await temporaryFolder();
  return await stopRuns({ place: freshPlace(kind, folder.path, servers), folder: folder.path, ...more });
}

/** One of each kind. `test/long/tasks-crash.proof.ts` has all of them, on each store. */
const SOME_POINTS: readonly Point[] = [
  'fetch: before effect',
  'build: after effect',
  'question: asked',
  'approve: before write',
  'deploy: after write',
  'end: before write',
];

const FEW_POINTS: readonly Point[] = ['build: after effect', 'approve: before write'];

describe('a workflow whose worker is killed', () => {
  it.each([
    ['sqlite', SOME_POINTS],
    ['postgres', FEW_POINTS],
    ['redis', FEW_POINTS],
  ] as const)('[W2, W3, R7] goes on elsewhere with the step that was not done (%s)', async (kind, points) => {
    const verdict = await killed(kind, { points });

    expect(verdict.faults).toEqual([]);
    expect(verdict.killed).toBe(points.length);
  });

  // The counterparts of the test above: runs that cannot detect these faults would prove nothing.
  it.each([
    ['late mark', 'build: after effect'],
    ['leases ignored', 'announce: after write'],
  ] as const)('does not survive "%s"', async (plant, point) => {
    const verdict = await killed('sqlite', { points: [point], plant });

    expect(verdict.faults).not.toEqual([]);
  });
});

describe('a worker that is paused until another has claimed its task', () => {
  it.each([
    ['sqlite', 'end: before write'],
    ['postgres', 'announce: before write'],
    ['redis', 'end: before write'],
  ] as const)('[R8, S8] can neither finish nor change the task when it goes on (%s)', async (kind, point) => {
    const faults = await stopped(kind, { runs: 2, point });

    expect(faults).toEqual([]);
  });

  it("with a fault planted (no epoch check) finishes another worker's task", async () => {
    const faults = await stopped('sqlite', { runs: 1, point: 'end: before write', plant: 'no epoch check' });

    expect(faults).not.toEqual([]);
  });
});
