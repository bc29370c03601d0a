import { describe, expect, it } from 'vitest';
import { times } from '../counts.ts';
import { GRANTABLE } from './matrix.ts';
import { plantAgent, plantSite } from './site.ts';
import { openTracker } from './tracker.ts';
import { MAX_CHARACTERS, plantItems, walk, walkList } from './walk.ts';

const ITEMS = times({ whole: 3_000, part: 500 });

describe.each(['sqlite', 'postgres'] as const)('a walk through the cards on %s', (backend) => {
  it.each([
    ['in pages as they come', { query: 'walk' }],
    ['in large pages, without a word', { query: '', limit: 100 }],
  ])(
    `[TSK-13] meets each of ${ITEMS} once while others are added, %s`,
    async (_, args) => {
      await using tracker = await openTracker(backend);
      const { token } = await plantAgent(tracker.store, tracker.home, [tracker.home.project_id], GRANTABLE);
      const planted = await plantItems(tracker, ITEMS, 1);

      const { seen, pages, longest } = await walk(tracker, token, args, (page) => plantItems(tracker, 5, page));

      expect(new Set(seen).size).toBe(seen.length);
      expect(planted.filter((id) => !new Set(seen).has(id))).toEqual([]);
      expect(pages).toBeGreaterThan(5);
      if (!('limit' in args)) expect(longest).toBeLessThanOrEqual(MAX_CHARACTERS);
    },
    120_000,
  );

  it('[TSK-11] meets each granted project once', async () => {
    await using tracker = await openTracker(backend);
    const { store, home } = tracker;
    const projects = [home.project_id];
    for (let at = 0; at < 80; at++)
      projects.push((await plantSite(store, home.workspace_id, `project ${at}`)).project_id);
    const { token } = await plantAgent(store, home, projects, GRANTABLE);

    const { seen, pages, longest } = await walkList(tracker, token, ['tasker_list_projects', 'projects', {}]);

    expect(seen.toSorted()).toEqual(projects.toSorted());
    expect(pages).toBeGreaterThan(1);
    expect(longest).toBeLessThanOrEqual(MAX_CHARACTERS);
  });
});
