import { expect, it } from 'vitest';
import type { Spending } from '#domain/budget';
import { settleBoard } from './board-fixture.ts';
import { anId, type OpenFixture } from './fixture.ts';
import { anAgent } from './tracker-fixture.ts';

const amounts = (cost_micro_usd: number, tokens: number, seconds: number) => ({ cost_micro_usd, tokens, seconds });

/** What runs, tasks, projects and agents used. */
export function describeSpending(open: OpenFixture): void {
  it('[21.1] adds up what a subject used, on a day and on all days, for its workspace alone', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { garden } = await settleBoard(store);
    const { workspace_id } = garden.project;
    const subject = { kind: 'task', subject_id: 'one' } as const;
    const add = (day: string, cost: number, fields: Partial<Spending> = {}) =>
      store.transaction((tx) =>
        tx.spending.add({ workspace_id, ...subject, day, ...amounts(cost, 2 * cost, 1), ...fields }),
      );
    await add('2026-01-01', 5);
    await add('2026-01-01', 7);
    await add('2026-01-02', 3_000_000_000);
    await add('2026-01-01', 11, { kind: 'run' });
    await add('2026-01-01', 13, { subject_id: 'two' });

    const { total } = store.reads.spending;

    expect(await total(workspace_id, subject, '2026-01-01')).toEqual(amounts(12, 24, 2));
    expect(await total(workspace_id, subject, null)).toEqual(amounts(3_000_000_012, 6_000_000_024, 3));
    expect(await total(workspace_id, subject, '2026-01-03')).toEqual(amounts(0, 0, 0));
    expect(await total(anId(), subject, null)).toEqual(amounts(0, 0, 0));
  });

  it('[21.3] answers a sum that no exact number holds as the nearest one, and goes on adding to it', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { garden, everything, attempt, session, enqueue } = await settleBoard(store);
    const { workspace_id } = garden.project;
    const { run } = await enqueue(await session(await attempt()));
    const subject = { kind: 'run', subject_id: run.id } as const;
    const most = Number.MAX_SAFE_INTEGER;
    const add = (day: string) =>
      store.transaction((tx) => tx.spending.add({ workspace_id, ...subject, day, ...amounts(most, most, most) }));
    const { total, report, reportTotal } = store.reads.spending;
    for (let time = 0; time < 2; time++) await add('2026-01-01');
    const beyondExact = await total(workspace_id, subject, null);
    // More than a whole number of 64 bits, of one day and of all.
    for (let time = 0; time < 1_100; time++) await add('2026-01-01');
    await add('2026-01-02');

    const all = await total(workspace_id, subject, null);
    const query = { attempt_id: null, from: '2026-01-01', to: '2026-01-31' };

    expect(beyondExact.tokens).toBeGreaterThanOrEqual(most);
    expect(all.tokens).toBeGreaterThanOrEqual(most);
    expect((await total(workspace_id, subject, '2026-01-01')).tokens).toBeGreaterThanOrEqual(most);
    expect(await reportTotal(everything, query)).toMatchObject(all);
    expect(await report(everything, { ...query, by: 'day', limit: 10 })).toHaveLength(2);
  });

  it('[21.2] reports what runs used by task, agent, day and project, of the projects that the caller sees', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { garden, user, everything, elsewhere, item, attempt, session, enqueue } = await settleBoard(store);
    const { workspace_id } = garden.project;
    const agent = anAgent(user, { name: 'Robin' });
    await store.transaction((tx) => tx.agents.insert(agent));
    const conversation = await session(await attempt());
    const ofItem = { work_item_id: item.id };
    const first = (await enqueue(conversation, ofItem)).run;
    const second = (await enqueue(conversation, { ...ofItem, agent_id: agent.id })).run;
    const spend = (subject_id: string, day: string, cost: number) =>
      store.transaction((tx) =>
        tx.spending.add({ workspace_id, kind: 'run', subject_id, day, ...amounts(cost, cost, cost) }),
      );
    await spend(first.id, '2026-01-01', 5);
    await spend(first.id, '2026-01-02', 2);
    await spend(second.id, '2026-01-02', 30);
    await spend(second.id, '2026-02-01', 1_000);
    const query = { attempt_id: null, from: '2026-01-01', to: '2026-01-31', limit: 10 };
    const { report, reportTotal } = store.reads.spending;

    const short = async (by: 'task' | 'agent' | 'day' | 'project') =>
      (await report(everything, { ...query, by })).map((row) => [
        row.subject_id,
        row.name,
        row.cost_micro_usd,
        row.runs,
      ]);

    expect(await short('task')).toEqual([[item.id, item.title, 37, 2]]);
    expect(await short('agent')).toEqual([
      [agent.id, 'Robin', 30, 1],
      ['executor:digger', 'digger', 7, 1],
    ]);
    expect(await short('day')).toEqual([
      ['2026-01-02', null, 32, 2],
      ['2026-01-01', null, 5, 1],
    ]);
    expect(await short('project')).toEqual([[garden.project.id, garden.project.name, 37, 2]]);
    expect(await report(everything, { ...query, by: 'agent', limit: 1 })).toHaveLength(1);
    expect(await reportTotal(everything, query)).toEqual({ ...amounts(37, 37, 37), runs: 2 });
    for (const within of elsewhere) {
      expect(await report(within, { ...query, by: 'task' })).toEqual([]);
      expect(await reportTotal(within, query)).toMatchObject({ cost_micro_usd: 0, runs: 0 });
    }
  });
}
