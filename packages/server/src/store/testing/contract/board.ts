import { expect, it } from 'vitest';
import type { Attempt, BoardRow } from '#domain/attempt';
import type { StateId } from '#domain/ids';
import type { Within } from '#domain/reach';
import type { WorkItem } from '#domain/work-item';
import type { BoardQuery, Store } from '#store/store';
import { aClaim, settleBoard } from './board-fixture.ts';
import type { OpenFixture } from './fixture.ts';
import { anAgent } from './tracker-fixture.ts';

const tasksOf = (store: Store, within: Within, item: WorkItem, fields: Partial<BoardQuery> = {}) =>
  store.reads.board.tasks(within, {
    project_id: item.project_id,
    status: null,
    task_id: null,
    before: null,
    limit: 100,
    ...fields,
  });

const idsOf = (rows: readonly Pick<BoardRow, 'id'>[]) => rows.map(({ id }) => id);

/** Tasks as the board lists them. */
export function describeBoard(open: OpenFixture): void {
  it('[10.1] lists a task without attempts, and finds it alone', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { item, garden, everything } = await settleBoard(store);

    const [row] = await tasksOf(store, everything, item);

    expect(row).toEqual({
      id: item.id,
      project_id: item.project_id,
      title: item.title,
      state_slug: 'unstarted',
      state_group: 'unstarted',
      priority: 'none',
      open_blockers: 0,
      claimed_until: null,
      created_at: 1,
      updated_at: 1,
      key: `${garden.project.key}-1`,
      latest_attempt_id: null,
      latest_attempt_key: null,
      verdict: null,
      attempt_state: null,
      last_failure_line: null,
      latest_branch: null,
      latest_session_id: null,
      latest_session_executor: null,
      has_in_progress_attempt: false,
      last_attempt_failed: false,
    });
    expect(await store.reads.board.task(everything, item.id)).toEqual(row);
  });

  it('[10.1, B-LIST-2] shows the latest attempt (the first by id of several made at once), and likewise its session', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { item, everything, attempt, session } = await settleBoard(store);
    const latest = await attempt({ created_at: 5, branch: 'latest' });
    const others = [
      await attempt({ created_at: 5, branch: 'of the same time' }),
      await attempt({ created_at: 4, branch: 'earlier' }),
    ];
    const first = await session(latest, { created_at: 3, executor: 'first of the latest' });
    await session(latest, { created_at: 3, executor: 'second of the latest' });
    await session(latest, { created_at: 2, executor: 'earlier' });
    for (const other of others) await session(other, { created_at: 9 });

    const shown = {
      latest_attempt_id: latest.id,
      latest_branch: 'latest',
      latest_session_id: first.id,
      latest_session_executor: 'first of the latest',
    };

    expect(await tasksOf(store, everything, item)).toMatchObject([shown]);
    expect(await store.reads.board.task(everything, item.id)).toMatchObject(shown);
  });

  it('[10.1, B-LIST-3] says whether any attempt is in progress, and whether the latest has failed', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { garden, everything, attempt } = await settleBoard(store);
    const summary = async (...statuses: readonly Attempt['run_status'][]) => {
      const item = garden.anItem();
      await store.transaction((tx) => tx.workItems.insert(item));
      for (const [i, run_status] of statuses.entries()) await attempt({ run_status, created_at: i }, item);
      const row = await store.reads.board.task(everything, item.id);
      return [row?.has_in_progress_attempt, row?.last_attempt_failed];
    };

    expect(await summary(null)).toEqual([false, false]);
    expect(await summary('queued', 'completed')).toEqual([true, false]);
    expect(await summary('running', 'failed')).toEqual([true, true]);
    expect(await summary('completed', 'interrupted')).toEqual([false, true]);
    expect(await summary('failed', 'completed')).toEqual([false, false]);
    expect(await summary('failed', 'killed')).toEqual([false, false]);
  });

  it('[10.2] lists the tasks of one project, newest first, from any place on, of one state or one alone', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { item, garden, kitchen, everything } = await settleBoard(store);
    const [second, third] = [garden.anItem({ state_id: garden.states[1]?.id ?? item.state_id }), garden.anItem()];
    await store.transaction(async (tx) => {
      for (const more of [second, third, kitchen.anItem()]) await tx.workItems.insert(more);
    });
    const ids = async (fields: Partial<BoardQuery>) => idsOf(await tasksOf(store, everything, item, fields));

    expect(await ids({})).toEqual([third.id, second.id, item.id]);
    expect(await ids({ limit: 2 })).toEqual([third.id, second.id]);
    expect(await ids({ before: third.id })).toEqual([second.id, item.id]);
    expect(await ids({ status: 'unstarted' })).toEqual([third.id, item.id]);
    expect(await ids({ status: 'unstarted', before: third.id })).toEqual([item.id]);
    expect(await ids({ task_id: second.id })).toEqual([second.id]);
    expect(await ids({ task_id: second.id, status: 'started' })).toEqual([second.id]);
    expect(await ids({ task_id: second.id, status: 'unstarted' })).toEqual([]);
    expect(await ids({ task_id: second.id, before: second.id })).toEqual([]);
  });

  it('[2.2] shows no task outside of the caller’s reach', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { item, garden, only, elsewhere } = await settleBoard(store);
    const { board } = store.reads;
    const { slug: status } = garden.states[0] ?? { slug: '' };
    const counts = async (within: Within) => [
      (await tasksOf(store, within, item)).length,
      (await tasksOf(store, within, item, { status })).length,
      (await tasksOf(store, within, item, { task_id: item.id })).length,
      (await tasksOf(store, within, item, { task_id: item.id, status })).length,
      (await board.task(within, item.id)) === null ? 0 : 1,
      (await board.candidates(within, { offset: 0, limit: 9 })).filter(({ id }) => id === item.id).length,
    ];

    expect(await counts(only(garden.project))).toEqual([1, 1, 1, 1, 1, 1]);
    for (const within of elsewhere) expect(await counts(within)).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('[10.3] offers tasks that nothing blocks and nobody has started by priority, then position, then age', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { kitchen, only, attempt } = await settleBoard(store);
    const at = (title: string, fields: Partial<WorkItem> = {}) => kitchen.anItem({ title, ...fields });
    const inGroup = (group: string) => ({ state_id: kitchen.states.find(({ slug }) => slug === group)?.id as StateId });
    const completed = at('completed', { ...inGroup('completed'), completed_at: 1 });
    const [blocked, free] = [at('blocked', { priority: 'urgent' }), at('no longer blocked')];
    const [running, failed] = [at('an agent works on it', { priority: 'urgent' }), at('an agent failed')];
    await store.transaction(async (tx) => {
      for (const item of [
        at('none'),
        at('low', { priority: 'low' }),
        at('medium', { priority: 'medium' }),
        at('high, later place', { priority: 'high', sort_order: 2 }),
        at('high', { priority: 'high' }),
        at('high, younger', { priority: 'high' }),
        at('urgent', { priority: 'urgent', sort_order: 9 }),
        at('started', inGroup('started')),
        completed,
        blocked,
        free,
        running,
        failed,
      ]) {
        await tx.workItems.insert(item);
      }
      await tx.board.setBlockers(blocked, [completed.id, free.id]);
      await tx.board.setBlockers(free, [completed.id]);
    });
    await attempt({ run_status: 'running' }, running);
    await attempt({ run_status: 'failed' }, failed);
    const titles = async (offset: number, limit: number) =>
      (await store.reads.board.candidates(only(kitchen.project), { offset, limit })).map(({ title }) => title);

    expect(await titles(0, 9)).toEqual([
      'urgent',
      'high',
      'high, younger',
      'high, later place',
      'medium',
      'low',
      'no longer blocked',
      'an agent failed',
      'none',
    ]);
    expect(await titles(1, 2)).toEqual(['high', 'high, younger']);
  });

  it('[10.3] offers the tasks of several projects in one order, page by page', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { garden, kitchen, everything } = await settleBoard(store);
    const of = (place: typeof garden, priority: WorkItem['priority']) => place.anItem({ title: priority, priority });
    await store.transaction(async (tx) => {
      for (const item of [of(garden, 'urgent'), of(garden, 'high'), of(garden, 'low'), of(kitchen, 'medium')]) {
        await tx.workItems.insert(item);
      }
    });
    const page = async (offset: number) =>
      (await store.reads.board.candidates(everything, { offset, limit: 2 })).map(({ title }) => title);

    expect(await page(0)).toEqual(['urgent', 'high']);
    expect(await page(1)).toEqual(['high', 'medium']);
    expect(await page(2)).toEqual(['medium', 'low']);
  });

  it('[10.4] keeps the latest claim of an item, and shows its expiry', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { item, garden, user, everything } = await settleBoard(store);
    const put = (fields: Parameters<typeof aClaim>[1]) =>
      store.transaction((tx) => tx.board.putClaim(aClaim(item, fields)));
    const seen = async () => (await store.reads.board.task(everything, item.id))?.claimed_until;

    expect(await store.reads.board.claim(item.workspace_id, item.id)).toBeNull();
    await put({});
    expect(await seen()).toBe(9);
    await put({ epoch: 2, principal_id: 'ann', user_id: user.id, claimed_at: 3, lease_until: 12 });
    expect(await store.reads.board.claim(item.workspace_id, item.id)).toEqual(
      aClaim(item, { epoch: 2, principal_id: 'ann', user_id: user.id, claimed_at: 3, lease_until: 12 }),
    );
    expect(await seen()).toBe(12);
    await put({ epoch: 2, principal_id: null });

    expect(await seen()).toBeNull();
    expect(await store.reads.board.claim(item.workspace_id, garden.anItem().id)).toBeNull();
  });

  it('[10.4] finds the newest claim that an agent holds, with its task', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { garden, user, foreign } = await settleBoard(store);
    const agent = anAgent(user);
    const items = [garden.anItem(), garden.anItem(), garden.anItem()] as const;
    const [early, late, over] = items;
    await store.transaction(async (tx) => {
      await tx.agents.insert(agent);
      for (const item of items) await tx.workItems.insert(item);
      const held = { agent_id: agent.id, lease_until: tx.now + 60_000 };
      await tx.board.putClaim(aClaim(early, { ...held, claimed_at: 1 }));
      await tx.board.putClaim(aClaim(late, { ...held, claimed_at: 2 }));
      await tx.board.putClaim(aClaim(over, { agent_id: agent.id, claimed_at: 3, lease_until: tx.now - 1 }));
    });
    const { claimOfAgent } = store.reads.board;

    expect(await claimOfAgent(agent.workspace_id, agent.id)).toMatchObject({
      work_item_id: late.id,
      title: late.title,
      claimed_at: 2,
    });
    expect(await claimOfAgent(foreign.workspace_id, agent.id)).toBeNull();
    expect(await claimOfAgent(agent.workspace_id, anAgent(user).id)).toBeNull();
  });

  it('[10.4] finds held claims whose lease is over by its own clock, at most as many as asked for', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { garden } = await settleBoard(store);
    const items = [garden.anItem(), garden.anItem(), garden.anItem(), garden.anItem()] as const;
    const [over, given_back, held, long_over] = items;
    await store.transaction(async (tx) => {
      for (const item of items) await tx.workItems.insert(item);
      await tx.board.putClaim(aClaim(over, { lease_until: tx.now - 1 }));
      await tx.board.putClaim(aClaim(given_back, { lease_until: tx.now - 1, principal_id: null }));
      await tx.board.putClaim(aClaim(held, { lease_until: tx.now + 60_000 }));
      await tx.board.putClaim(aClaim(long_over, { lease_until: tx.now - 60_000 }));
    });
    const expired = async (limit: number) =>
      (await store.transaction((tx) => tx.board.expiredClaims(limit))).map(({ work_item_id }) => work_item_id);

    expect(await expired(9)).toEqual([long_over.id, over.id]);
    expect(await expired(1)).toEqual([long_over.id]);
    expect(await store.reads.board.expiredClaims(1)).toMatchObject([{ work_item_id: long_over.id }]);
    expect(await store.reads.board.expiredClaims(9)).toHaveLength(2);
  });
}
