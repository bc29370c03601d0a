import { env } from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPostgres } from '../../scripts/postgres.ts';
import { startRedis } from '../../scripts/redis.ts';
import { createRandom } from '../e2e/durability/random.ts';
import { temporaryFolder } from '../e2e/program.ts';
import { killRuns } from '../e2e/tasks/kill-runs.ts';
import { freshPlace, type Servers } from '../e2e/tasks/place.ts';
import { stopRuns } from '../e2e/tasks/stop-runs.ts';
import { POINTS, type Point } from '../e2e/tasks/watched-store.ts';
import { SEED } from './seed.ts';

const KILLS = Number(env.ERRAND_TASK_KILLS ?? 200);
const STOPS = Number(env.ERRAND_TASK_STOPS ?? 50);
const KINDS = ['sqlite', 'postgres', 'redis'] as const;

const stops: AsyncDisposableStack = new AsyncDisposableStack();
let servers: Servers = { postgres_url: '', redis_url: '' };

beforeAll(async () => {
  const postgres = await startPostgres();
  stops.defer(() => postgres.stop());
  const redis = await startRedis();
  stops.defer(() => redis.stop());
  servers = { postgres_url: postgres.url, redis_url: redis.url };
});
afterAll(() => stops.disposeAsync());

/** Returns all points equally often, in random order. */
function pointsFor(runs: number): readonly Point[] {
  const random = createRandom(SEED);
  const all = Array.from({ length: runs }, (_, run) => POINTS[run % POINTS.length] ?? 'end: before write');
  return all
    .map((point) => ({ point, place: random.next() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ point }) => point);
}

describe(`a workflow whose worker is killed (seed ${SEED})`, () => {
  it.each(KINDS)(
    `repeats no step that was done and leaves none out, ${KILLS} times (%s)`,
    async (kind) => {
      await using folder = await temporaryFolder();
      const points = pointsFor(KILLS);

      const verdict = await killRuns({ place: freshPlace(kind, folder.path, servers), folder: folder.path, points });

      expect(verdict.faults).toEqual([]);
      expect(verdict.killed).toBe(KILLS);
    },
    60_000 + KILLS * 3_000,
  );
});

describe('a worker that is paused until another has claimed its task', () => {
  it.each(
    KINDS.flatMap((kind) =>
      (['end: before write', 'announce: before write'] as const).map((at) => [kind, at] as const),
    ),
  )(
    `neither finishes nor changes the task, ${STOPS} times (%s, %s)`,
    async (kind, point) => {
      await using folder = await temporaryFolder();
      const place = freshPlace(kind, folder.path, servers);

      const faults = await stopRuns({ place, folder: folder.path, runs: STOPS, point });

      expect(faults).toEqual([]);
    },
    60_000 + STOPS * 5_000,
  );
});
