import { describe, expect, inject, it } from 'vitest';
import { IS_LONG } from '../counts.ts';
import { temporaryFolder } from '../program.ts';
import { killRuns } from './kill-runs.ts';
import { freshPlace, type Place } from './place.ts';
import type { Plant } from './plants.ts';
import type { Point } from './watched-store.ts';

const servers = { postgres_url: inject('postgresUrl'), redis_url: inject('redisUrl') };
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const points: readonly Point[] = ['build: after effect', 'question: asked', 'deploy: after write'];

const CASES = [
  ['postgres', 1],
  ['redis', -1],
  ['postgres', -1],
  ['redis', 1],
] as const;

async function skewed(kind: Place['kind'], hours: number, more: { plant?: Plant; patience_ms?: number } = {}) {
  await using folder = await temporaryFolder();
  const place = freshPlace(kind, folder.path, servers);
  const skews_ms = [hours * HOUR_MS, -hours * HOUR_MS] as const;
  return await killRuns({ place, folder: folder.path, points, skews_ms, ...more });
}

describe('processes whose clocks are two hours apart', () => {
  it.each(CASES.slice(0, IS_LONG ? CASES.length : 2))(
    '[S12, R7, T5] hold and lose leases as if they were right (%s, %i h)',
    async (kind, hours) => {
      const { faults, killed, records } = await skewed(kind, hours);

      const errors_ms = records.map((record) => Math.abs((record?.created_at ?? 0) - Date.now()));
      expect(faults).toEqual([]);
      expect(killed).toBe(points.length);
      expect(errors_ms.filter((error_ms) => error_ms > MINUTE_MS)).toEqual([]);
    },
  );

  // The counterpart of the test above: a lease that lasts an hour too long, or has expired at its start.
  it.concurrent.each([1, -1])('do not when they read their own clocks (%i h)', async (hours) => {
    const { faults } = await skewed('postgres', hours, { plant: 'own clock', patience_ms: 3_000 });

    expect(faults).not.toEqual([]);
  });
});
