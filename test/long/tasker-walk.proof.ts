import { env } from 'node:process';
import { describe, expect, it } from 'vitest';
import { GRANTABLE } from '../e2e/tasker/matrix.ts';
import { plantAgent } from '../e2e/tasker/site.ts';
import { openTracker } from '../e2e/tasker/tracker.ts';
import { MAX_CHARACTERS, plantItems, walk } from '../e2e/tasker/walk.ts';
import { ownPostgres } from './own-postgres.ts';
import { SEED } from './seed.ts';

const ITEMS = Number(env.ERRAND_WALK_ITEMS ?? 100_000);

const postgresUrl = ownPostgres();

describe.each(['sqlite', 'postgres'] as const)(`a walk through ${ITEMS} cards on %s (seed ${SEED})`, (backend) => {
  it.each([
    ['in pages as they come', { query: 'walk' }],
    ['in large pages, without a word', { query: '', limit: 100 }],
  ])(
    '[TSK-13] meets each once while others are added, %s',
    async (_, args) => {
      await using tracker = await openTracker(backend, {}, postgresUrl());
      const { token } = await plantAgent(tracker.store, tracker.home, [tracker.home.project_id], GRANTABLE);
      const planted = await plantItems(tracker, ITEMS, SEED);

      const { seen, longest } = await walk(tracker, token, args, (page) => plantItems(tracker, 2, page));

      const met = new Set(seen);
      expect(met.size).toBe(seen.length);
      expect(planted.filter((id) => !met.has(id))).toEqual([]);
      if (!('limit' in args)) expect(longest).toBeLessThanOrEqual(MAX_CHARACTERS);
    },
    60 * 60_000,
  );
});
