import { describe, expect, it } from 'vitest';
import type { ProjectId, UserId } from '#domain/ids';
import { createBoardOf, createBoardWorld } from '#testing/board';
import { createWorld } from '#testing/world';

describe('create_task', () => {
  it('adds a task to the first column of tasks that are not started', async () => {
    await using board = await createBoardWorld();

    const created = await board.world.ask(
      'create_task',
      { project_id: board.project_id, title: ' Fix the\nroof ', description: 'It leaks.', priority: 'high' },
      board.robot,
    );

    expect(created).toMatchObject({ title: 'Fix the roof', status: 'todo', priority: 'high', is_ready: true });
    expect(await board.read(created.task_id as string)).toMatchObject({ description: 'It leaks.', claim: null });
  });

  it('creates an item that search finds and the todo list of its owner shows', async () => {
    await using world = await createWorld();
    const list = await world.store.reads.projects.todoList(world.owner.workspace_id, world.owner.user_id);
    const board = createBoardOf(world, list?.project_id ?? '');

    const task_id = await board.task({ title: 'Buy gutters' });

    const { tasks } = await world.ask('todo_list_tasks', { user_id: 'me' });
    const { issues } = await world.ask('tasker_search_issues', { query: 'gutters' });
    expect(tasks).toMatchObject([{ id: task_id, title: 'Buy gutters', completed: false }]);
    expect(issues).toMatchObject([{ id: task_id }]);
  });

  it('needs the right to complete for a task that is created as done', async () => {
    await using board = await createBoardWorld();
    const input = { project_id: board.project_id, title: 'Done', status: 'done' };

    expect(await board.world.refuse('create_task', input, board.robot)).toMatchObject({ code: 'move_not_granted' });
    expect(await board.world.ask('create_task', input)).toMatchObject({ status: 'done', is_ready: false });
  });

  it('creates one task for one idempotency key', async () => {
    await using board = await createBoardWorld();
    const input = { project_id: board.project_id, title: 'Once', idempotency_key: 'once' };

    const first = await board.world.ask('create_task', input, board.robot);
    const again = await board.world.ask('create_task', input, board.robot);

    expect(again).toEqual(first);
    expect(await board.list()).toHaveLength(1);
  });
});

describe('update_task', () => {
  it('moves a task to a place of another column with one call', async () => {
    await using board = await createBoardWorld();
    const [first, second] = [await board.task({ title: 'First' }), await board.task({ title: 'Second' })];
    const columns = async () => {
      const { columns } = await board.world.ask('show_board', { project_id: board.project_id });
      return (columns as { cards: { title: string }[] }[]).map(({ cards }) => cards.map(({ title }) => title));
    };

    await board.world.ask('update_task', { task_id: first, status: 'inprogress', sort_order: 10 });
    await board.world.ask('update_task', { task_id: second, status: 'inprogress', sort_order: 5 });
    const before = await columns();
    await board.world.ask('update_task', { task_id: second, sort_order: 15 });

    expect(before).toContainEqual(['Second', 'First']);
    expect(await columns()).toContainEqual(['First', 'Second']);
  });

  it('changes the given fields and leaves the rest', async () => {
    await using board = await createBoardWorld();
    const task_id = await board.task({ title: 'Roof', description: 'It leaks.', priority: 'low' });

    await board.world.ask('update_task', { task_id, title: 'Fix the roof', status: 'inreview' }, board.robot);

    const task = await board.read(task_id);
    expect(task).toMatchObject({
      title: 'Fix the roof',
      status: 'inreview',
      description: 'It leaks.',
      priority: 'low',
    });
  });

  it('replaces the HTML of a card, which would otherwise differ from the text', async () => {
    await using board = await createBoardWorld();
    const { issue } = await board.world.ask('tasker_create_issue', {
      project_id: board.project_id,
      name: 'Roof',
      description_html: '<p>Old</p>',
      idempotency_key: 'card',
    });
    const { id } = issue as { id: string };

    await board.world.ask('update_task', { task_id: id, description: 'New' });

    const { issue: card } = await board.world.ask('tasker_get_issue', { issue_id: id });
    expect(card).toMatchObject({ description_html: '<p>New</p>' });
  });

  it('refuses a call without changes, and a column that the project does not have', async () => {
    await using board = await createBoardWorld();
    const task_id = await board.task();

    expect(await board.world.refuse('update_task', { task_id })).toMatchObject({ code: 'validation_error' });
    expect(await board.world.refuse('update_task', { task_id, status: 'nowhere' })).toMatchObject({
      code: 'validation_error',
      details: { statuses: ['todo', 'inprogress', 'inreview', 'done', 'cancelled'] },
    });
  });

  it('completes and cancels only where the grant allows it', async () => {
    await using board = await createBoardWorld({ can_complete: true });
    const task_id = await board.task();

    const cancelled = await board.world.refuse('update_task', { task_id, status: 'cancelled' }, board.robot);
    const done = await board.world.ask('update_task', { task_id, status: 'done' }, board.robot);

    expect(cancelled).toMatchObject({ code: 'move_not_granted', details: { group: 'cancelled' } });
    expect(done).toMatchObject({ status: 'done' });
  });

  it('refuses to complete a task whose project requires its checkers to be ticked first', async () => {
    await using board = await createBoardWorld({ can_complete: true });
    const { project_id, world } = board;
    await world.ask('admin_update_project', { project_id, completion_gate: 'checkers' });
    const { issue } = await world.ask('tasker_create_issue', {
      project_id,
      name: 'Roof',
      detail_layout: {
        nodedc_structured_blocks: {
          version: 1,
          blocks: [{ type: 'checker', items: [{ text: 'Nails', checked: false }] }],
        },
      },
      idempotency_key: 'card',
    });

    const error = await world.refuse(
      'update_task',
      { task_id: (issue as { id: string }).id, status: 'done' },
      board.robot,
    );

    expect(error.code).toBe('completion_blocked');
  });
});

describe('dependencies', () => {
  it('are shown on both tasks, and keep the blocked one from being ready until the other is completed', async () => {
    await using board = await createBoardWorld();
    const wall = await board.task({ title: 'Wall' });
    const roof = await board.task({ title: 'Roof', blocked_by: [wall, wall] });

    const blocked = await board.read(roof);
    const blocker = await board.read(wall);
    await board.world.ask('update_task', { task_id: wall, status: 'cancelled' });
    const cancelled = await board.read(roof);
    await board.world.ask('update_task', { task_id: wall, status: 'done' });
    const completed = await board.read(roof);

    expect(blocked).toMatchObject({ is_ready: false, blocked_by: [{ task_id: wall, title: 'Wall', status: 'todo' }] });
    expect(blocker).toMatchObject({ is_ready: true, blocks: [{ task_id: roof, title: 'Roof', status: 'todo' }] });
    expect(cancelled).toMatchObject({ is_ready: false, blocked_by: [{ status: 'cancelled' }] });
    expect(completed).toMatchObject({ is_ready: true });
  });

  it('are replaced by an update, and removed by an empty list', async () => {
    await using board = await createBoardWorld();
    const wall = await board.task();
    const roof = await board.task({ blocked_by: [wall] });

    await board.world.ask('update_task', { task_id: roof, blocked_by: [] });

    expect(await board.read(roof)).toMatchObject({ blocked_by: [], is_ready: true });
  });

  it('never form a circle, and the refusal names it', async () => {
    await using board = await createBoardWorld();
    const ground = await board.task();
    const wall = await board.task({ blocked_by: [ground] });
    const roof = await board.task({ blocked_by: [wall] });

    const error = await board.world.refuse('update_task', { task_id: ground, blocked_by: [roof] });

    expect(error).toMatchObject({ code: 'validation_error', details: { cycle: [ground, roof, wall, ground] } });
    expect(await board.read(ground)).toMatchObject({ blocked_by: [] });
  });

  it('name only a readable part of a long circle', async () => {
    await using board = await createBoardWorld();
    const first = await board.task();
    let last = first;
    for (let i = 0; i < 20; i++) last = await board.task({ blocked_by: [last] });

    const error = await board.world.refuse('update_task', { task_id: first, blocked_by: [last] });

    expect(error.details).toMatchObject({ cycle: { length: 10 } });
    expect(error.message).toMatch(/ waits for 12 more\.$/);
    expect(error.message.length).toBeLessThan(1_000);
  });

  it('are never on the task itself, nor on one of another project', async () => {
    await using board = await createBoardWorld();
    const task_id = await board.task();
    const other = createBoardOf(board.world, await board.project('Elsewhere'));
    const foreign = await other.task();

    const itself = await board.world.refuse('update_task', { task_id, blocked_by: [task_id] });
    const elsewhere = await board.world.refuse('update_task', { task_id, blocked_by: [foreign] });
    const unknown = await board.world.refuse('update_task', { task_id, blocked_by: ['nothing'] });

    expect(itself.message).toBe('blocked_by: names the task itself.');
    expect(elsewhere.message.replace(foreign, 'ID')).toBe(unknown.message.replace('nothing', 'ID'));
  });
});

describe('delete_task', () => {
  it('removes a task with its attempts and dependencies', async () => {
    await using board = await createBoardWorld();
    const task_id = await board.task({ title: 'Wall' });
    const waiting = await board.task({ blocked_by: [task_id] });
    const { id } = await board.attempt(task_id, { run_status: 'completed' });

    const answer = await board.world.ask('delete_task', { task_id });

    expect(answer).toEqual({ task_id, title: 'Wall', deleted: true });
    expect(await board.world.refuse('get_task', { task_id })).toMatchObject({ code: 'not_found' });
    expect(await board.read(waiting)).toMatchObject({ blocked_by: [], is_ready: true });
    expect(await board.world.refuse('get_attempt', { attempt_id: id })).toMatchObject({ code: 'not_found' });
  });

  it('is refused while a run of the task is queued or running', async () => {
    await using board = await createBoardWorld();
    const task_id = await board.task();
    await board.attempt(task_id, { run_status: 'queued' });

    const error = await board.world.refuse('delete_task', { task_id });

    expect(error).toMatchObject({ code: 'run_in_progress', hint: expect.stringContaining('stop_attempt') });
    expect(await board.list()).toHaveLength(1);
  });

  it('is for people: no agent is granted it', async () => {
    await using board = await createBoardWorld();
    const task_id = await board.task();

    const error = await board.world.refuse('delete_task', { task_id }, board.robot);

    expect(error.code).toBe('insufficient_scope');
  });
});

describe('everything out of reach', () => {
  it('reads like an unknown thing', async () => {
    await using board = await createBoardWorld();
    const other = createBoardOf(board.world, await board.project('Elsewhere'));
    const foreign = await other.task();

    for (const [tool, input] of [
      ['get_task', {}],
      ['update_task', { title: 'Mine' }],
      ['list_task_attempts', {}],
      ['next_task', {}],
    ] as const) {
      const known = await board.world.refuse(tool, { task_id: foreign, ...input }, board.robot);
      const unknown = await board.world.refuse(tool, { task_id: 'nothing', ...input }, board.robot);

      expect(known.code).toBe('not_found');
      expect(known.message.replace(foreign, 'nothing')).toBe(unknown.message);
    }
  });

  it('is refused as a project that was not granted', async () => {
    await using board = await createBoardWorld();
    const project_id = await board.project('Elsewhere');

    for (const [tool, input] of [
      ['list_tasks', {}],
      ['list_repos', {}],
      ['next_task', {}],
      ['create_task', { title: 'Mine' }],
    ] as const) {
      const error = await board.world.refuse(tool, { project_id, ...input }, board.robot);
      expect(error.code).toBe('project_not_granted');
    }
  });

  it('includes the todo list of another user', async () => {
    await using world = await createWorld();
    const other = await world.addUser('Ada');
    const list = await world.store.reads.projects.todoList(world.owner.workspace_id, other as UserId);
    const project_id = list?.project_id as ProjectId;

    const error = await world.refuse('list_tasks', { project_id });

    expect(error).toMatchObject({ code: 'not_found', message: `No project ${project_id}.` });
  });
});

describe('a project of another tracker', () => {
  it('is listed as not on this board, and every tool says where its tasks are', async () => {
    await using world = await createWorld({ tracker: { is_local: false } });
    const { project_id } = await world.ask('admin_add_project', { name: 'Rocket' });

    const { projects } = await world.ask('list_projects', {});
    const refusals = [
      await world.refuse('list_tasks', { project_id }),
      await world.refuse('create_task', { project_id, title: 'New' }),
      await world.refuse('next_task', { project_id }),
      await world.refuse('list_repos', { project_id }),
    ];

    expect(projects).toContainEqual(expect.objectContaining({ project_id, is_on_board: false }));
    for (const error of refusals) {
      expect(error).toMatchObject({
        code: 'conflict',
        message: expect.stringContaining('kept in a tracker elsewhere'),
      });
    }
  });
});
