import { describe, expect, it } from 'vitest';
import type { ProjectId, WorkItemId } from '#domain/ids';
import { giveBackExpired } from '#services/board/claims';
import { BOARD_SCOPES, createBoardOf, createBoardWorld } from '#testing/board';
import { kindsOf } from '#testing/runs';
import { createTracker, ISSUE_SCOPES } from '#testing/tracker';
import { createWorld } from '#testing/world';

const MINUTE = 60_000;

const epochOf = (answer: Record<string, unknown>): number => (answer.claim as { epoch: number }).epoch;
const idOf = (answer: Record<string, unknown>): string | undefined =>
  (answer.task as { task_id: string } | null)?.task_id;

describe('next_task', () => {
  it('claims the most urgent ready task, moves it to in progress and returns the expiry of the claim', async () => {
    await using board = await createBoardWorld();
    await board.task({ title: 'Later' });
    const urgent = await board.task({ title: 'Now', priority: 'urgent', description: 'It leaks.' });

    const answer = await board.world.ask('next_task', { project_id: board.project_id }, board.robot);

    expect(answer).toMatchObject({
      task: { task_id: urgent, status: 'inprogress', is_ready: false, description: 'It leaks.' },
      claim: { epoch: 1, expires_at: '2026-01-01T00:30:00.000Z' },
    });
    expect(await board.read(urgent)).toMatchObject({
      claim: {
        claimed_by: { kind: 'agent', id: board.robot.agent_id, name: 'Robot' },
        epoch: 1,
        expires_at: '2026-01-01T00:30:00.000Z',
      },
    });
  });

  it('writes an audit entry for a claimed task, and none when there is none', async () => {
    await using board = await createBoardWorld();
    const task_id = await board.task();

    await board.world.ask('next_task', {}, board.robot);
    for (let i = 0; i < 3; i++) await board.world.ask('next_task', {}, board.robot);

    const trail = await board.world.store.reads.audit.page(0, 1_000);
    expect(trail.filter(({ action }) => action === 'next_task')).toMatchObject([{ entity_id: task_id }]);
  });

  it('gives every task to one caller only, and null when none is left', async () => {
    await using board = await createBoardWorld();
    const tasks = [await board.task(), await board.task(), await board.task()];
    const other = await board.agent({ projects: [board.project_id], scopes: ['board:read', 'board:write'] });

    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => board.world.ask('next_task', {}, i % 2 === 0 ? board.robot : other)),
    );

    const taken = answers.map(idOf).filter((id) => id !== undefined);
    expect(taken.toSorted()).toEqual(tasks.toSorted());
    expect(answers.filter(({ task }) => task === null)).toHaveLength(5);
    expect(answers.find(({ task }) => task === null)).toEqual({ task: null, claim: null });
  });

  it('skips blocked tasks, and those that an agent works on', async () => {
    await using board = await createBoardWorld();
    const attempted = await board.task({ priority: 'urgent' });
    await board.attempt(attempted, { run_status: 'running' });
    await board.task({ priority: 'urgent', blocked_by: [attempted] });
    const free = await board.task({ priority: 'low' });

    const answers = [await board.world.ask('next_task', {}), await board.world.ask('next_task', {})];

    expect(answers.map(idOf)).toEqual([free, undefined]);
  });

  it('takes tasks of projects where the caller may write, and of no other', async () => {
    await using board = await createBoardWorld();
    await createBoardOf(board.world, await board.project('Elsewhere')).task({ priority: 'urgent' });
    const own = await board.task({ priority: 'none' });

    const answers = [
      await board.world.ask('next_task', {}, board.robot),
      await board.world.ask('next_task', {}, board.robot),
    ];

    expect(answers.map(idOf)).toEqual([own, undefined]);
  });

  it('keeps the answer short, and says when the description was cut', async () => {
    await using board = await createBoardWorld();
    const task_id = await board.task({ description: 'Nail by nail. '.repeat(1_000) });

    const answer = await board.world.ask('next_task', {});
    const whole = await board.world.ask('get_task', { task_id, include: ['description'] });
    const short = await board.read(task_id);

    expect(JSON.stringify(answer).length).toBeLessThanOrEqual(4_000);
    expect(answer.task).toMatchObject({ truncated: ['description'] });
    expect(JSON.stringify(short).length).toBeLessThanOrEqual(4_000);
    expect(short).toMatchObject({ truncated: ['description'] });
    expect(whole.description).toHaveLength(13_999);
    expect(whole).not.toHaveProperty('truncated');
  });

  it('claims the named task, and says why when it cannot', async () => {
    await using board = await createBoardWorld();
    const wall = await board.task();
    const roof = await board.task({ blocked_by: [wall] });
    const begun = await board.task({ status: 'inprogress' });
    const done = await board.task({ status: 'done' });

    const got = await board.world.ask('next_task', { task_id: wall }, board.robot);
    const errors = [
      await board.world.refuse('next_task', { task_id: roof }),
      await board.world.refuse('next_task', { task_id: wall }),
      await board.world.refuse('next_task', { task_id: begun }),
      await board.world.refuse('next_task', { task_id: done }),
    ];

    expect(idOf(got)).toBe(wall);
    expect(errors.map(({ code }) => code)).toEqual(['task_blocked', 'conflict', 'conflict', 'conflict']);
    expect(errors[0]).toMatchObject({ details: { blocked_by: [wall] } });
  });

  it('gives a task again to its holder, with a new epoch', async () => {
    await using board = await createBoardWorld();
    const task_id = await board.task();

    const first = await board.world.ask('next_task', { task_id }, board.robot);
    const again = await board.world.ask('next_task', { task_id }, board.robot);
    const old = await board.world.refuse(
      'update_task',
      { task_id, claim_epoch: epochOf(first), title: 'Old' },
      board.robot,
    );

    expect([epochOf(first), epochOf(again)]).toEqual([1, 2]);
    expect(old.code).toBe('claim_lost');
  });

  it('skips projects of another tracker', async () => {
    await using world = await createWorld({ tracker: { is_local: false } });
    const { project_id } = await world.ask('admin_add_project', { name: 'Rocket' });
    const { task_id: todo } = await world.ask('todo_add_task', { user_id: 'me', title: 'Buy nails' });
    await world.store.transaction(async (tx) => {
      const item = await tx.workItems.findTodo(world.owner.workspace_id, todo as WorkItemId);
      const [state] = await tx.projects.states(world.owner.workspace_id, project_id as ProjectId);
      if (item === null || state === undefined) throw new Error('nothing to copy');
      const id = '00000000-0000-7000-8000-0000000000ff' as WorkItemId;
      await tx.workItems.insert({
        ...item,
        id,
        project_id: project_id as ProjectId,
        state_id: state.id,
        owner_id: null,
        priority: 'urgent',
      });
    });

    const answers = [await world.ask('next_task', {}), await world.ask('next_task', {})];

    expect(answers.map(idOf)).toEqual([todo, undefined]);
  });
});

describe('a claim', () => {
  it('is renewed for its original length, by an update that names its epoch', async () => {
    await using board = await createBoardWorld();
    const task_id = await board.task();
    await board.world.ask('next_task', { lease_minutes: 10 }, board.robot);

    board.world.time.now += 9 * MINUTE;
    await board.world.ask('update_task', { task_id, claim_epoch: 1 }, board.robot);
    board.world.time.now += 9 * MINUTE;

    expect(await board.read(task_id)).toMatchObject({
      updated_at: '2026-01-01T00:00:00.000Z',
      claim: { epoch: 1, expires_at: '2026-01-01T00:19:00.000Z' },
    });
  });

  it('that is only renewed is no change of the task, neither in the audit trail nor in the events', async () => {
    await using board = await createBoardWorld();
    const task_id = await board.task();
    await board.world.ask('next_task', {}, board.robot);
    const before = await kindsOf(board.world);

    await board.world.ask('update_task', { task_id, claim_epoch: 1 }, board.robot);

    const entry = (await board.world.store.reads.audit.page(0, 1_000)).at(-1);
    expect(entry).toMatchObject({ action: 'update_task', entity_id: task_id, before_digest: null, after_digest: null });
    expect(await kindsOf(board.world)).toEqual(before);
  });

  it('that has ended changes nothing', async () => {
    await using board = await createBoardWorld();
    const task_id = await board.task({ title: 'Roof' });
    await board.world.ask('next_task', { lease_minutes: 10 }, board.robot);
    board.world.time.now += 10 * MINUTE;

    const error = await board.world.refuse('update_task', { task_id, claim_epoch: 1, title: 'Mine' }, board.robot);

    expect(error).toMatchObject({ code: 'claim_lost', retryable: false });
    expect(await board.read(task_id)).toMatchObject({ title: 'Roof', claim: null });
  });

  it('of another agent blocks agents, but not people', async () => {
    await using board = await createBoardWorld();
    const task_id = await board.task();
    await board.world.ask('next_task', {}, board.robot);
    const other = await board.agent({ projects: [board.project_id], scopes: ['board:read', 'board:write'] });

    const agent = await board.world.refuse('update_task', { task_id, title: 'Mine' }, other);
    const stolen = await board.world.refuse('update_task', { task_id, title: 'Mine', claim_epoch: 1 }, other);
    const holder = await board.world.ask('update_task', { task_id, title: 'Held' }, board.robot);
    const person = await board.world.ask('update_task', { task_id, title: 'Stepped in' });

    expect([agent.code, stolen.code]).toEqual(['conflict', 'claim_lost']);
    expect([holder.title, person.title]).toEqual(['Held', 'Stepped in']);
    expect(await board.read(task_id)).toMatchObject({ claim: { epoch: 1 } });
  });

  it('is released when the task leaves the columns of work in progress, and only then', async () => {
    await using board = await createBoardWorld();
    const task_id = await board.task();
    await board.world.ask('next_task', {}, board.robot);

    await board.world.ask('update_task', { task_id, status: 'inreview', claim_epoch: 1 }, board.robot);
    const inReview = await board.read(task_id);
    await board.world.ask('update_task', { task_id, status: 'todo', claim_epoch: 1 }, board.robot);
    const back = await board.read(task_id);
    const next = await board.world.ask('next_task', {});

    expect(inReview).toMatchObject({ claim: { epoch: 1 } });
    expect(back).toMatchObject({ claim: null, is_ready: true });
    expect(epochOf(next)).toBe(2);
  });

  it('that has ended makes the task ready for the next agent, whose epoch excludes the first', async () => {
    await using board = await createBoardWorld();
    const task_id = await board.task();
    await board.world.ask('next_task', { lease_minutes: 10 }, board.robot);
    board.world.time.now += 10 * MINUTE;

    const next = await board.world.ask('next_task', {});
    const late = await board.world.refuse('update_task', { task_id, claim_epoch: 1, status: 'inreview' }, board.robot);

    expect(next).toMatchObject({ task: { task_id, status: 'inprogress' }, claim: { epoch: 2 } });
    expect(late.code).toBe('claim_lost');
  });
});

describe('a claim, where the task is an issue or a todo', () => {
  it('blocks other agents, but neither its holder nor people', async () => {
    await using board = await createBoardWorld({ scopes: [...BOARD_SCOPES, ...ISSUE_SCOPES] });
    const { states, ask, refuse } = createTracker(board.world);
    const { todo, inprogress } = await states(board.project_id);
    const issue_id = await board.task();
    await board.world.ask('next_task', {}, board.robot);
    const other = await board.agent({ projects: [board.project_id] });

    const refused = [
      await refuse(other, 'tasker_move_issue', { issue_id, state_id: todo }),
      await refuse(other, 'tasker_update_issue', { issue_id, name: 'Mine' }),
    ];
    await ask(board.robot, 'tasker_update_issue', { issue_id, name: 'Held' });
    await ask(board.robot, 'tasker_move_issue', { issue_id, state_id: inprogress, sort_order: 1 });
    const held = await board.read(issue_id);
    await ask(board.world.owner, 'tasker_update_issue', { issue_id, name: 'Stepped in' });

    expect(refused.map(({ code }) => code)).toEqual(['conflict', 'conflict']);
    expect(held).toMatchObject({ title: 'Held', status: 'inprogress', claim: { epoch: 1 } });
    expect(await board.read(issue_id)).toMatchObject({ title: 'Stepped in', claim: { epoch: 1 } });
  });

  it('is released when the issue leaves the states of work in progress', async () => {
    await using board = await createBoardWorld({ scopes: [...BOARD_SCOPES, ...ISSUE_SCOPES] });
    const { states, ask } = createTracker(board.world);
    const { todo, inreview } = await states(board.project_id);
    const issue_id = await board.task();
    await board.world.ask('next_task', {}, board.robot);

    await ask(board.robot, 'tasker_move_issue', { issue_id, state_id: inreview });
    const inReview = await board.read(issue_id);
    await ask(board.robot, 'tasker_move_issue', { issue_id, state_id: todo });

    expect(inReview).toMatchObject({ claim: { epoch: 1 } });
    expect(await board.read(issue_id)).toMatchObject({ claim: null, is_ready: true });
  });

  it('is released when the todo is completed', async () => {
    await using world = await createWorld();
    const { task_id } = await world.ask('todo_add_task', { user_id: 'me', title: 'Buy nails' });
    await world.ask('next_task', {});

    await world.ask('todo_complete_task', { user_id: 'me', task_id });

    expect(await world.ask('get_task', { task_id })).toMatchObject({ status: 'done', claim: null });
  });
});

describe('releasing expired claims', () => {
  it('moves the task back to the waiting state, and sends an event', async () => {
    await using board = await createBoardWorld();
    const task_id = await board.task();
    await board.world.ask('next_task', { lease_minutes: 10 }, board.robot);
    const before = (await kindsOf(board.world)).length;

    board.world.time.now += 10 * MINUTE - 1;
    const early = await board.world.store.transaction((tx) => giveBackExpired(tx, 10));
    board.world.time.now += 1;
    const due = await board.world.store.transaction((tx) => giveBackExpired(tx, 10));
    const again = await board.world.store.transaction((tx) => giveBackExpired(tx, 10));

    expect([early, due, again]).toEqual([0, 1, 0]);
    expect(await board.read(task_id)).toMatchObject({ status: 'todo', is_ready: true });
    expect((await kindsOf(board.world)).slice(before)).toEqual(['work_item.updated']);
  });

  it('leaves a task where it is that was moved on, or that an agent works on', async () => {
    await using board = await createBoardWorld();
    const reviewed = await board.task();
    const attempted = await board.task();
    for (const task_id of [reviewed, attempted]) await board.world.ask('next_task', { task_id }, board.robot);
    await board.world.ask('update_task', { task_id: reviewed, status: 'inreview' }, board.robot);
    await board.attempt(attempted, { run_status: 'running' });
    board.world.time.now += 30 * MINUTE;

    await board.world.store.transaction((tx) => giveBackExpired(tx, 10));

    expect(await board.read(reviewed)).toMatchObject({ status: 'inreview', claim: null });
    expect(await board.read(attempted)).toMatchObject({ status: 'inprogress', claim: null });
  });

  it('finds the tasks of todo lists too', async () => {
    await using world = await createWorld();
    const { task_id } = await world.ask('todo_add_task', { user_id: 'me', title: 'Buy nails' });
    await world.ask('next_task', {});
    world.time.now += 30 * MINUTE;

    await world.store.transaction((tx) => giveBackExpired(tx, 10));

    expect(await world.ask('get_task', { task_id })).toMatchObject({ status: 'todo', is_ready: true });
  });
});
