import { describe, expect, it } from 'vitest';
import type { ProjectId } from '#domain/ids';
import type { IssueRow } from '#services/tasker/adapter';
import { addMember, addProject, type PlaneProject } from '../../../../../test/plane/world.ts';
import { aPlane } from './testing/plane-fixture.ts';

type At = Awaited<ReturnType<typeof aPlane>>;

async function fill(at: At, names: readonly string[], project: PlaneProject = at.project): Promise<void> {
  const states = await at.tracker.states(at.work(), project.id as ProjectId);
  const state = states.find(({ group }) => group === 'unstarted') ?? at.stateOf('unstarted');
  for (const name of names)
    await at.tracker.create(at.work(name), at.anIssue({ project_id: project.id as ProjectId, state, name }));
}

const names = (rows: readonly IssueRow[]): readonly string[] => rows.map(({ name }) => name);

async function* walk(at: At, query: string, limit: number, within = at.within) {
  let after: string | null = null;
  while (true) {
    const rows: readonly IssueRow[] = await at.tracker.search(at.work(), within, { query, after, limit });
    yield rows;
    if (rows.length < limit) return;
    after = rows.at(-1)?.position ?? null;
  }
}

const numbered = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `Item ${index}`);

describe('search in Plane', () => {
  it('[TSK-13] returns issues whose name contains every word, newest first', async () => {
    await using at = await aPlane();
    await fill(at, ['Login fails', 'Sign up', 'The failing of a LOGIN', 'Login page']);

    const rows = await at.tracker.search(at.work(), at.within, { query: 'fail login', after: null, limit: 10 });

    expect(names(rows)).toEqual(['The failing of a LOGIN', 'Login fails']);
    expect(rows[0]).toMatchObject({ project_id: at.project_id, state: at.stateOf('unstarted'), priority: 'none' });
  });

  it('finds an issue by its key', async () => {
    await using at = await aPlane();
    await fill(at, ['One', 'Two', 'Three']);

    const rows = await at.tracker.search(at.work(), at.within, { query: 'websi-2', after: null, limit: 10 });

    expect(names(rows)).toEqual(['Two']);
  });

  it.each(['', 'item'])('pages through %j without gap or repeat while items come and go', async (query) => {
    await using at = await aPlane();
    await fill(at, numbered(25));
    const seen: string[] = [];

    for await (const rows of walk(at, query, 6)) {
      seen.push(...names(rows));
      if (seen.length === 6) await fill(at, ['Item new 1', 'Item new 2']);
      if (seen.length === 12) at.plane.world.items.splice(20, 3);
    }

    expect(seen).toEqual([...numbered(25)].reverse());
  });

  it.each(['', 'item'])('leaves out items in unknown states, and continues with %j', async (query) => {
    await using at = await aPlane();
    await fill(at, numbered(12));
    const { id } = at.stateOf('started');
    for (const state of at.plane.world.states) if (state.id === id) Object.assign(state, { group: 'triage' });
    for (const index of [0, 5, 11]) Object.assign(at.plane.world.items[index] ?? {}, { state: id });
    const seen: string[] = [];

    for await (const rows of walk(at, query, 2)) seen.push(...names(rows));

    const known = numbered(12).filter((_, index) => ![0, 5, 11].includes(index));
    expect(seen).toEqual(known.toReversed());
  });

  it('goes back when the items before its position are gone', async () => {
    await using at = await aPlane();
    await fill(at, numbered(205));
    const first = await at.tracker.search(at.work(), at.within, { query: '', after: null, limit: 150 });
    at.plane.world.items.splice(205 - 100, 100);

    const rest = await at.tracker.search(at.work(), at.within, {
      query: '',
      after: first.at(-1)?.position ?? null,
      limit: 100,
    });

    expect(names(rest)).toEqual([...numbered(55)].reverse());
  });

  it('[TSK-13] stays within the granted projects and goes from one to the next', async () => {
    await using at = await aPlane();
    const second = addProject(at.plane.world, 'Mobile');
    const foreign = addProject(at.plane.world, 'Foreign');
    for (const project of [second, foreign]) addMember(at.plane.world, project.id, at.bot.id);
    await fill(at, ['Item web 1', 'Item web 2']);
    await fill(at, ['Item app 1', 'Item app 2'], second);
    await fill(at, ['Item secret'], foreign);
    const within = { ...at.within, project_ids: [at.project_id, second.id as ProjectId] };
    const before = at.plane.requests.length;

    for (const query of ['', 'item']) {
      const seen: string[] = [];
      for await (const rows of walk(at, query, 3, within)) seen.push(...names(rows));

      expect(seen.toSorted()).toEqual(['Item app 1', 'Item app 2', 'Item web 1', 'Item web 2']);
    }
    expect(at.plane.requests.slice(before).join(' ')).not.toContain(foreign.id);
  });

  it('[TSK-13] leaves out a hit of another project, although Plane returns it', async () => {
    await using at = await aPlane();
    await fill(at, ['Item 1']);
    const [item] = at.plane.world.items;
    const hit = { id: item?.id, name: 'Item 1', sequence_id: 1, project__identifier: 'X', project_id: 'other' };
    at.plane.plan('GET', /search/, { kind: 'answers', status: 200, body: JSON.stringify({ issues: [hit] }) });

    expect(await at.tracker.search(at.work(), at.within, { query: 'item', after: null, limit: 5 })).toEqual([]);
  });

  it('reads the rows of many hits with one request', async () => {
    await using at = await aPlane();
    await fill(at, numbered(12));
    const before = at.plane.requests.length;

    await at.tracker.search(at.work(), at.within, { query: 'item', after: null, limit: 10 });

    expect(at.plane.requests.length - before).toBe(2);
  });

  it('sends the query as text, whatever characters it has', async () => {
    await using at = await aPlane();
    await fill(at, ['a&project_id=x#y']);

    const rows = await at.tracker.search(at.work(), at.within, { query: 'a&project_id=x#y', after: null, limit: 5 });

    expect(names(rows)).toEqual(['a&project_id=x#y']);
  });

  it('returns nothing for punctuation only, and refuses a forged position', async () => {
    await using at = await aPlane();
    await fill(at, ['One']);

    expect(await at.tracker.search(at.work(), at.within, { query: '???', after: null, limit: 5 })).toEqual([]);
    await expect(at.tracker.search(at.work(), at.within, { query: '', after: '../x', limit: 5 })).rejects.toMatchObject(
      {
        code: 'validation_error',
      },
    );
  });
});
