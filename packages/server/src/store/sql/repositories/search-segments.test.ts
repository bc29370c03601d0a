import { expect, it } from 'vitest';
import type { WorkItem } from '#domain/work-item';
import { foundation } from '#store/migrations/0001-foundation';
import { upgradesFrom } from '#store/migrations/testing/upgrades-from';
import { SEGMENT_SIZE } from '#store/sql/repositories/search-entries';
import type { FoundItem, Store } from '#store/store';
import { settleTeams } from '#store/testing/contract/tracker-fixture';
import { createDice } from '#store/testing/histories';
import type { SegmentWords } from '#store/upkeep-store';

const DATABASES = upgradesFrom([foundation], '');
const HISTORIES = DATABASES.flatMap(([name, open]) => [1, 2].map((seed) => [name, seed, open] as const));
const WORDS = ['plant', 'planter', 'seed', 'water', 'rose', 'maple', 'cedar'];
const QUERIES = [['plant'], ['p'], ['maple', 'cedar'], ['ma', 'ro'], ['cedar', 'none']];
const PAGE = 7;
const SIZE = Math.max(...Object.values(SEGMENT_SIZE));
/** How many tasks of each kind: its word is then frequent, and Postgres asks its index. */
const FILLERS = SIZE / 128 + 2;

async function walk(
  store: Store,
  within: Parameters<Store['reads']['workItems']['search']>[0],
  terms: readonly string[],
) {
  const all: FoundItem[] = [];
  for (;;) {
    const last = all.at(-1);
    const after = last === undefined ? null : { tier: last.tier, id: last.id };
    const page = await store.reads.workItems.search(within, { terms, after, limit: PAGE });
    all.push(...page);
    if (page.length < PAGE) return all.map(({ id, tier }) => [id, tier]);
  }
}

/** What a search must find, from the texts alone. */
function expected(items: readonly WorkItem[], terms: readonly string[]): readonly (readonly [string, string])[] {
  const has = (text: string, term: string) => text.split(' ').some((word) => word.startsWith(term));
  const newest = items.toSorted((a, b) => (a.id < b.id ? 1 : -1));
  const titled = newest.filter(({ title }) => terms.every((term) => has(title, term)));
  const others = newest.filter(
    (item) =>
      !titled.includes(item) && terms.every((term) => has(item.title, term) || has(item.description ?? '', term)),
  );
  return [...titled.map(({ id }) => [id, 'title'] as const), ...others.map(({ id }) => [id, 'text'] as const)];
}

it.each(HISTORIES)('finds the same whatever is in segments, on %s, history %i', async (_, seed, open) => {
  await using upgraded = await open();
  const { store, write } = upgraded;
  const { garden, kitchen, everything, only } = await settleTeams(store);
  const teams = [garden, kitchen];
  const dice = createDice(seed);
  const some = (most: number): string =>
    Array.from({ length: dice.below(most) }, () => WORDS[dice.below(WORDS.length)]).join(' ');
  const living = new Map<string, WorkItem>();
  const update = async (item: WorkItem, fields: Partial<WorkItem>): Promise<void> => {
    const changed = { ...item, ...fields, version: item.version + 1 };
    await store.transaction((tx) => tx.workItems.update(changed));
    living.set(item.id, changed);
  };
  const check = async (when: string): Promise<void> => {
    for (const terms of QUERIES) {
      const all = [...living.values()];
      expect([when, terms, await walk(store, everything, terms)]).toEqual([when, terms, expected(all, terms)]);
      const own = all.filter(({ project_id }) => project_id === garden.project.id);
      const found = await walk(store, only(garden.project), terms);
      expect([when, terms, found]).toEqual([when, terms, expected(own, terms)]);
    }
  };

  const list = async (): Promise<readonly SegmentWords[]> => {
    for (const done: SegmentWords[] = []; ; ) {
      const words = (await store.reads.upkeep.unlisted()) ?? (await store.reads.upkeep.outdated());
      if (words === null) return done;
      await store.transaction((tx) => tx.upkeep.list(words));
      done.push(words);
    }
  };

  for (let round = 1; round <= 3; round++) {
    for (let count = 0; count < 24; count++) {
      const made = (teams[dice.below(2)] ?? garden).anItem({ title: some(4), description: some(3) });
      await store.transaction((tx) => tx.workItems.insert(made));
      living.set(made.id, made);
    }
    for (let count = 0; count < 6; count++) {
      const item = [...living.values()][dice.below(living.size)] as WorkItem;
      const team = teams[dice.below(2)] ?? garden;
      if (dice.below(3) === 0) {
        await store.transaction((tx) => tx.workItems.delete(item.workspace_id, item.id));
        living.delete(item.id);
      } else if (dice.below(2) === 0) await update(item, { title: some(4) });
      else await update(item, { project_id: team.project.id, state_id: team.states[0]?.id ?? item.state_id });
    }
    await store.transaction(async (tx) => {
      for (let count = 0; count < FILLERS; count++) {
        await tx.workItems.insert(garden.anItem({ title: 'maple' }));
        await tx.workItems.insert(garden.anItem({ title: 'nothing', description: 'cedar' }));
      }
      await tx.names.giveNumbers(100);
    });
    await check(`round ${round}, made`);

    // As if a whole segment of tasks had been made since, and a minute had passed.
    await write(`update item_numbers set last = (last / ${SIZE} + 1) * ${SIZE}`);
    await store.transaction((tx) => tx.upkeep.file(7));
    await check(`round ${round}, a segment more`);
    while (await store.transaction((tx) => tx.upkeep.file(7)));
    expect(await store.reads.upkeep.hasUnfiled()).toBe(true);
    await write('update search_segments set made_at = 0');
    for (let part = 0; part < 2; part++) await store.transaction((tx) => tx.upkeep.file(7));
    await check(`round ${round}, half filed`);
    while (await store.transaction((tx) => tx.upkeep.file(1_000)));
    await check(`round ${round}, filed`);
    expect(await store.reads.upkeep.hasUnfiled()).toBe(false);

    const early = await list();
    await check(`round ${round}, listed`);
    for (let count = 0; count < 6; count++) {
      const item = [...living.values()][dice.below(living.size)] as WorkItem;
      await update(item, dice.below(2) === 0 ? { title: 'maple cedar' } : { description: 'cedar and maple' });
    }
    await check(`round ${round}, changed`);

    // As if a sixteenth of all tasks had been changed.
    const newest = `(select max(number) / ${SIZE} * ${SIZE} from work_items where project_id = '${garden.project.id}')`;
    await write(`
      insert into search_changes (project_id, number)
      select '${garden.project.id}', ${newest} + i from (
        with recursive n (i) as (select 0 union all select i + 1 from n where i < ${SIZE / 16}) select i from n
      ) as counted where true on conflict do nothing`);
    const outdated = await store.reads.upkeep.outdated();
    expect(outdated).toMatchObject({ project_id: garden.project.id, words: null });
    if (outdated !== null) await store.transaction((tx) => tx.upkeep.list(outdated));
    // Another process that read these tasks before they were changed is late.
    for (const words of early) await store.transaction((tx) => tx.upkeep.list(words));
    await check(`round ${round}, outdated`);
    await list();
    await check(`round ${round}, listed anew`);
  }

  // No set is asked in vain: what is in none of them is not found.
  await write("delete from search_changes; update search_words set tasks = 's'");
  expect(await walk(store, only(garden.project), ['maple', 'cedar'])).toEqual([]);

  // Nothing is left beside the segments: there a search would read all of it.
  await write('delete from search_segments');
  expect(await walk(store, everything, ['p'])).toEqual([]);
});
