import { expect, it } from 'vitest';
import type { WorkItemId } from '#domain/ids';
import type { Within } from '#domain/reach';
import { queryTerms } from '#domain/search-terms';
import type { FoundItem, SearchQuery, Store } from '#store/store';
import { anId, type OpenFixture, settle } from './fixture.ts';
import { settleTeams } from './tracker-fixture.ts';

const find = (store: Store, within: Within, words: string, query: Partial<SearchQuery> = {}) =>
  store.reads.workItems.search(within, { terms: queryTerms(words), after: null, limit: 100, ...query });

const titles = async (found: Promise<readonly FoundItem[]>): Promise<readonly string[]> =>
  (await found).map(({ title }) => title);

/** Every page of a search; `between` runs after each. */
async function walk(
  store: Store,
  within: Within,
  words: string,
  between: () => Promise<void> = async () => {},
): Promise<readonly FoundItem[]> {
  const all: FoundItem[] = [];
  for (;;) {
    const last = all.at(-1);
    const after = last === undefined ? null : { tier: last.tier, id: last.id };
    const page = await find(store, within, words, { after, limit: 3 });
    all.push(...page);
    if (page.length < 3) return all;
    await between();
  }
}

const BLOCKS = JSON.stringify({
  nodedc_structured_blocks: {
    version: 1,
    blocks: [
      { id: 'hidden', type: 'text', title: 'Fertilizer', text: 'Nettles' },
      { id: 'b2', type: 'checker', title: 'Steps', items: [{ id: 'i1', text: 'Dig trenches', checked: false }] },
    ],
  },
});

export function describeSearch(open: OpenFixture): void {
  it('[6.1] finds items by the start of every word, those with all words in the title first, the newest of each first', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { garden, everything } = await settleTeams(store);
    const items = [
      garden.anItem({ title: 'Water roses' }),
      garden.anItem({ title: 'Roses', description: 'Water them' }),
      garden.anItem({ title: 'Watering can for roses' }),
      garden.anItem({ title: 'Other', description: 'roses without water' }),
      garden.anItem({ title: 'Water only' }),
      garden.anItem({ title: 'Neither', description: null }),
    ];
    await store.transaction(async (tx) => {
      for (const item of items) await tx.workItems.insert(item);
    });

    const found = await find(store, everything, 'water ROSE');

    expect(found.map(({ title, tier }) => [title, tier])).toEqual([
      ['Watering can for roses', 'title'],
      ['Water roses', 'title'],
      ['Other', 'text'],
      ['Roses', 'text'],
    ]);
    expect(await titles(find(store, everything, 'ater'))).toEqual([]);
    expect(found[1]).toEqual({
      id: items[0]?.id,
      project_id: garden.project.id,
      state_id: garden.states[0]?.id,
      title: 'Water roses',
      priority: 'none',
      target_date: null,
      version: 1,
      updated_at: 1,
      state_name: 'unstarted',
      state_group: 'unstarted',
      key: `${garden.project.key}-1`,
      tier: 'title',
    });
  });

  it('[2.2] shows items of visible projects only, with words and without', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { garden, kitchen, foreign, workspace_id, only, everything, elsewhere } = await settleTeams(store);
    const mine = garden.anItem({ title: 'Water mine' });
    await store.transaction(async (tx) => {
      await tx.workItems.insert(mine);
      await tx.workItems.insert(kitchen.anItem({ title: 'Water kitchen' }));
      await tx.workItems.insert(foreign.aTodo({ title: 'Water foreign' }));
    });

    for (const words of ['water', '']) {
      expect(await titles(find(store, only(garden.project), words))).toEqual(['Water mine']);
      expect(await titles(find(store, only(kitchen.project), words))).toEqual(['Water kitchen']);
      const both = ['Water kitchen', 'Water mine'];
      expect(await titles(find(store, only(garden.project, kitchen.project), words))).toEqual(both);
      expect(await titles(find(store, everything, words))).toEqual(both);
      for (const within of elsewhere) expect(await titles(find(store, within, words))).not.toContain('Water mine');
      const stolen = { workspace_id, project_ids: [foreign.project.id] };
      expect(await titles(find(store, stolen, words))).toEqual([]);
      expect(await titles(find(store, only(), words))).toEqual([]);
    }
  });

  it.each([
    ['with words in titles', 'plant'],
    ['with words in texts', 'green'],
    ['with words in both', 'seed'],
    ['without words', ''],
  ])('[6.2] walks all pages without gap or repeat while items are added, %s', async (_, words) => {
    await using fixture = await open();
    const { store } = fixture;
    const { garden, kitchen, everything, only } = await settleTeams(store);
    const items = Array.from({ length: 22 }, (_item, i) =>
      (i % 5 === 0 ? kitchen : garden).anItem({
        title: `plant ${i}${i % 2 === 0 ? ' seed' : ''}`,
        description: `green ${i % 2 === 1 ? 'seed' : 'leaf'}`,
      }),
    );
    const add = async (item: (typeof items)[number]) => store.transaction((tx) => tx.workItems.insert(item));
    for (const item of items) await add(item);

    for (const within of [everything, only(garden.project, kitchen.project)]) {
      const before = (await walk(store, within, words)).map(({ id }) => id);
      const during = await walk(store, within, words, () =>
        add(garden.anItem({ title: 'plant seed', description: 'green' })),
      );

      expect(before).toEqual([...new Set(before)]);
      expect(before.length).toBeGreaterThanOrEqual(items.length);
      expect(during.map(({ id }) => id).filter((id) => before.includes(id))).toEqual(before);
    }
  });

  it('[6.2] continues after an item that was deleted meanwhile', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { garden, workspace_id, everything } = await settleTeams(store);
    const items = Array.from({ length: 7 }, (_, i) => garden.anItem({ title: `plant ${i}` }));
    await store.transaction(async (tx) => {
      for (const item of items) await tx.workItems.insert(item);
    });

    for (const words of ['plant', '']) {
      const page = await find(store, everything, words, { limit: 2 });
      const last = page.at(-1);
      if (last === undefined) throw new Error('Nothing found.');
      await store.transaction((tx) => tx.workItems.delete(workspace_id, last.id));
      const rest = await titles(find(store, everything, words, { after: { tier: last.tier, id: last.id } }));

      const left = await titles(find(store, everything, words));
      expect([page[0]?.title, ...rest]).toEqual(left);
    }
  });

  it('[6.3] finds an item by its current description and the texts of its current blocks', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { garden, kitchen, only, everything } = await settleTeams(store);
    const item = garden.anItem({ title: 'Beds', description: 'Compost', detail_layout: BLOCKS });
    await store.transaction((tx) => tx.workItems.insert(item));
    const hits = async (words: string, within: Within = everything) => (await find(store, within, words)).length;

    for (const words of ['beds', 'compost', 'fertilizer', 'nettles', 'steps', 'dig trench']) {
      expect([words, await hits(words)]).toEqual([words, 1]);
    }
    for (const words of ['hidden', 'checker', 'false', 'nodedc'])
      expect([words, await hits(words)]).toEqual([words, 0]);

    const moved = { ...item, project_id: kitchen.project.id, version: 2 };
    await store.transaction((tx) => tx.workItems.update(moved));
    expect(await hits('beds', only(garden.project))).toBe(0);
    expect(await hits('beds', only(kitchen.project))).toBe(1);

    const blocks = BLOCKS.replace('Nettles', 'Ashes');
    const changes = [
      { title: 'Rows', gone: 'beds', there: 'rows' },
      { description: 'Manure', gone: 'compost', there: 'manure' },
      { detail_layout: blocks, gone: 'nettles', there: 'ashes' },
      { description: null, gone: 'manure', there: 'rows' },
    ];
    let now = moved;
    for (const { gone, there, ...change } of changes) {
      // Another item that is already as this one becomes must not be taken for it.
      now = { ...now, ...change, version: now.version + 1 };
      const twin = { ...now, id: anId<WorkItemId>(), version: 1 };
      await store.transaction(async (tx) => {
        await tx.workItems.insert(twin);
        await tx.workItems.update(now);
        await tx.workItems.delete(twin.workspace_id, twin.id);
      });
      expect([gone, await hits(gone), there, await hits(there)]).toEqual([gone, 0, there, 1]);
    }
  });

  it('[6.3] accepts words of every script, and no word as a command', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { user, workspace_id, aTodo } = await settle(store);
    const texts = ['Grüße aus Köln', '東京タワー', 'مرحبا بالعالم', 'snake_case 42', 'NOT OR AND NEAR'];
    await store.transaction(async (tx) => {
      for (const title of texts) await tx.workItems.insert(aTodo({ title, owner_id: user.id }));
    });
    const within: Within = { workspace_id, project_ids: 'all', user_id: user.id };

    for (const text of texts) expect(await titles(find(store, within, text))).toEqual([text]);
    expect(await titles(find(store, within, 'grusse'))).toEqual([]);
    expect(await titles(find(store, within, 'grüss koln'))).toEqual([]);
    expect(await titles(find(store, within, 'koln'))).toEqual(['Grüße aus Köln']);
    expect(await titles(find(store, within, 'NOT'))).toEqual(['NOT OR AND NEAR']);
    const hostile = ['"', "'", '*', ':*', "a' | 'b", '") OR ("', '~!snake', 'a b', '\\', '\0', '(', '!', ''];
    for (const term of hostile) expect(await find(store, within, '', { terms: [term] })).toEqual([]);
  });

  it('[2.2] leaves the todo lists of others out of every search', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { user, project, workspace_id, aTodo } = await settle(store);
    const todo = aTodo({ title: 'Surprise', owner_id: user.id });
    await store.transaction((tx) => tx.workItems.insert(todo));
    const all = { workspace_id, project_ids: 'all' } as const;
    const seen = async (within: Within) => [
      (await titles(find(store, within, 'surprise'))).length,
      (await titles(find(store, within, ''))).length,
      (await store.reads.workItems.find(within, todo.id)) === null ? 0 : 1,
      (await store.reads.projects.open(within, { after: null, limit: 10 })).length,
    ];

    expect(await seen({ ...all, user_id: user.id })).toEqual([1, 1, 1, 1]);
    expect(await seen({ ...all, user_id: anId() })).toEqual([0, 0, 0, 0]);
    expect(await seen(all)).toEqual([0, 0, 0, 0]);
    const own = { ...all, user_id: user.id };
    expect(await store.reads.projects.open(own, { after: project.id, limit: 10 })).toEqual([]);
    expect(await seen({ workspace_id, project_ids: [project.id] })).toEqual([1, 1, 1, 1]);
    expect(await seen({ workspace_id: anId(), project_ids: [project.id] })).toEqual([0, 0, 0, 0]);
  });

  it('[6.1] finds rare words among many items, and many items by a frequent one', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { garden, kitchen, everything, only } = await settleTeams(store);
    await store.transaction(async (tx) => {
      for (let i = 0; i < 600; i++) {
        await tx.workItems.insert(garden.anItem({ title: `often ${i}`, description: i % 300 === 3 ? 'seldom' : null }));
        if (i % 100 === 0) await tx.workItems.insert(kitchen.anItem({ title: `often seldom ${i}` }));
      }
    });

    expect(await titles(find(store, only(garden.project), 'seldom'))).toEqual(['often 303', 'often 3']);
    expect(await titles(find(store, only(kitchen.project), 'often', { limit: 2 }))).toEqual([
      'often seldom 500',
      'often seldom 400',
    ]);
    expect(await find(store, everything, 'often', { limit: 1000 })).toHaveLength(606);
    const page = await titles(find(store, only(garden.project), 'often', { limit: 3 }));
    expect(page).toEqual(['often 599', 'often 598', 'often 597']);
  });
}
