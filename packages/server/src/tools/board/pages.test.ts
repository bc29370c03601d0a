import { describe, expect, it } from 'vitest';
import { createBoardWorld } from '#testing/board';
import { aSteeredRun } from '#testing/steered';
import { createWorld } from '#testing/world';

type Rows = readonly Record<string, unknown>[];

describe('list_attempt_feed', () => {
  it('goes back to the first entry over all runs, and forth to the newest', async () => {
    await using board = await createBoardWorld();
    const { world, attempt, run, task } = board;
    const made = await attempt(await task());
    const runs = [await run(made, 'completed'), await run(made, 'running')];
    for (const { id } of runs) {
      for (const n of [1, 2, 3]) await world.ask('add_feed_entry', { execution_id: id, kind: 'message', text: `${n}` });
    }
    const page = (more: object) => world.ask('list_attempt_feed', { attempt_id: made.id, limit: 2, ...more });
    const textsOf = ({ entries }: Record<string, unknown>) => (entries as Rows).map(({ text }) => text);

    const newest = await page({});
    const middle = await page({ before: newest.before });
    const oldest = await page({ before: middle.before });
    await world.ask('add_feed_entry', { execution_id: runs[1]?.id, kind: 'message', text: 'new' });
    const later = await page({ after: newest.after });

    expect([oldest, middle, newest, later].map(textsOf)).toEqual([['1', '2'], ['3', '1'], ['2', '3'], ['new']]);
    expect(oldest.before).toBeNull();
    expect(textsOf(await page({ after: oldest.after }))).toEqual(['3', '1']);
  });

  it('tells what each run was given and who asked for it, with the page on which the run begins', async () => {
    const world = await createWorld();
    const { worker, run, attempt_id } = await aSteeredRun(world);
    const page = (more: object = {}) => world.ask('list_attempt_feed', { attempt_id, ...more });
    const silent = await page();
    await worker.log.write(run, [{ type: 'feed', kind: 'message', text: 'I begin.' }]);
    await worker.finish(run, { status: 'completed', reason: null }, []);
    await world.ask('follow_up', { attempt_id, action: 'send', prompt: 'Now the tests.' });
    const next = await worker.take();
    await worker.log.write(next, [{ type: 'feed', kind: 'message', text: 'Yes.' }]);

    const newest = await page({ limit: 2 });
    const older = await page({ limit: 9, before: newest.before });

    const by = { kind: 'user', name: 'owner' };
    expect(silent.prompts).toMatchObject([{ execution_id: run.entry.execution_id, words: null }]);
    expect(newest.prompts).toMatchObject([
      { execution_id: next.entry.execution_id, text: 'Now the tests.', words: null, by },
    ]);
    expect(older.prompts).toMatchObject([
      { execution_id: run.entry.execution_id, text: expect.stringContaining('Fix the login'), by },
    ]);
  });

  it('tells who sent each message to the agent, by the name that they have now', async () => {
    const world = await createWorld();
    const { attempt_id, worker, run, tell } = await aSteeredRun(world);
    await tell('Mind the tests.');
    world.time.now += 1;
    await worker.log.write(run, [{ type: 'feed', kind: 'status', text: 'A person to the agent: Mind the tests.' }]);
    await world.ask('admin_update_user', { user_id: 'owner', name: 'Ana' });

    const { entries, senders } = await world.ask('list_attempt_feed', { attempt_id });

    expect((entries as Rows).filter(({ text }) => String(text).endsWith('Mind the tests.'))).toHaveLength(2);
    expect(senders).toMatchObject([
      { execution_id: run.entry.execution_id, seq: 2, by: { kind: 'user', name: 'Ana' } },
    ]);
  });

  it('refuses a place that is none, and both directions at once', async () => {
    await using board = await createBoardWorld();
    const { world, attempt, task } = board;
    const { id: attempt_id } = await attempt(await task());

    const codes = [
      await world.refuse('list_attempt_feed', { attempt_id, before: 'x' }),
      await world.refuse('list_attempt_feed', { attempt_id, before: 'a:1', after: 'a:1' }),
    ].map(({ code }) => code);

    expect(codes).toEqual(['validation_error', 'validation_error']);
  });
});

describe('list_runs', () => {
  it('lists the runs of all projects with names, newest first, by status, time, task and page', async () => {
    await using board = await createBoardWorld();
    const { world, attempt, run, task, project_id } = board;
    const [first, second] = [await task(), await task({ title: 'Second' })];
    const done = await run(await attempt(first, { sessions: ['claude'] }), 'completed');
    world.time.now += 60_000;
    const failed = await run(await attempt(second), 'failed', 'exit 3');
    const idsOf = async (filter: object): Promise<readonly unknown[]> =>
      ((await world.ask('list_runs', filter)).runs as Rows).map(({ execution_id }) => execution_id);

    const { runs } = await world.ask('list_runs', {});
    const page = await world.ask('list_runs', { limit: 1 });

    expect(runs).toMatchObject([
      { execution_id: failed.id, status: 'failed', reason: 'exit 3', project_id, title: 'Second', agent: null },
      { execution_id: done.id, status: 'completed', task_id: first, user: { name: 'owner' } },
    ]);
    expect((runs as Rows)[0]?.task_key).toMatch(/-2$/);
    expect((runs as Rows)[0]?.attempt_key).toMatch(/-2\.1$/);
    expect(await idsOf({ status: 'failed' })).toEqual([failed.id]);
    expect(await idsOf({ from: new Date(world.time.now).toISOString() })).toEqual([failed.id]);
    expect(await idsOf({ to: new Date(world.time.now).toISOString(), project_id })).toEqual([done.id]);
    expect(await idsOf({ task_id: first })).toEqual([done.id]);
    expect(await idsOf({ executor: 'none' })).toEqual([]);
    expect(await idsOf({ limit: 1, cursor: page.next_cursor })).toEqual([done.id]);
  });

  it('says how far a run is, what is to come, what it waits for and what it changed', async () => {
    await using world = await createWorld();
    const { worker, run, caller } = await aSteeredRun(world);
    await world.ask(
      'create_step',
      { execution_id: run.entry.execution_id, step_name: 'Read', status: 'completed' },
      caller,
    );
    await world.ask('create_step', { execution_id: run.entry.execution_id, step_name: 'Mend' }, caller);
    await worker.log.write(run, [
      {
        type: 'plan',
        entries: [
          { content: 'Mend', status: 'running' },
          { content: 'Test', status: 'pending' },
        ],
      },
    ]);
    await world.ask('ask_person', { question: 'Which port?', wait_ms: 0 }, caller);

    const { runs } = await world.ask('list_runs', {});

    expect(runs).toMatchObject([
      { step_statuses: ['completed', 'running'], steps_planned: 1, asks: 'question', added: 0, removed: 0 },
    ]);
  });

  it('says of a run whether its task is over', async () => {
    await using world = await createWorld();
    const { task_id } = await aSteeredRun(world);
    expect((await world.ask('list_runs', {})).runs).toMatchObject([{ is_task_over: false }]);

    await world.ask('update_task', { task_id, status: 'done' });

    expect((await world.ask('list_runs', {})).runs).toMatchObject([{ is_task_over: true }]);
  });

  it('shows nothing of a project out of reach', async () => {
    await using board = await createBoardWorld();
    const { world, attempt, run, task, agent, project, project_id } = board;
    await run(await attempt(await task()), 'running');
    const stranger = await agent({ projects: [await project('Elsewhere')], scopes: ['board:read'] });

    expect((await world.ask('list_runs', {}, stranger)).runs).toEqual([]);
    expect((await world.refuse('list_runs', { project_id }, stranger)).code).toBe('project_not_granted');
  });

  it('shows an agent within an attempt its own runs', async () => {
    await using world = await createWorld();
    const { caller, run, start, task_id } = await aSteeredRun(world);
    await start({ task_id });
    const step = (step_name: string, status: string) =>
      world.ask('create_step', { execution_id: run.execution_id, step_name, status }, caller);
    await step('Read', 'failed');
    await step('Write', 'running');
    await world.ask('ask_person', { question: 'Which port?', wait_ms: 0 }, caller);

    const { runs } = await world.ask('list_runs', {}, caller);

    expect(runs).toMatchObject([
      { execution_id: run.execution_id, step: 'Write', step_count: 2, steps_failed: 1, steps_running: 1, questions: 1 },
    ]);
  });
});

describe('list_task_story', () => {
  it('lists comments, attempts and changes in one list, newest first, each with its author', async () => {
    await using board = await createBoardWorld();
    const { world, task, attempt, robot } = board;
    const task_id = await task({}, robot);
    world.time.now += 1_000;
    await world.ask('tasker_append_comment', { issue_id: task_id, comment_html: '<p>Hm.</p>', idempotency_key: '1' });
    world.time.now += 1_000;
    const { id: attempt_id } = await attempt(task_id);
    world.time.now += 1_000;
    await world.ask('update_task', { task_id, priority: 'high' });

    const { entries } = (await world.ask('list_task_story', { task_id })) as { entries: Rows };
    const first = await world.ask('list_task_story', { task_id, limit: 3 });
    const rest = await world.ask('list_task_story', { task_id, limit: 3, cursor: first.next_cursor });

    expect(entries).toMatchObject([
      { kind: 'change', action: 'update_task', by: { kind: 'user', name: 'owner' } },
      { kind: 'attempt', id: attempt_id, attempt: { attempt_id } },
      { kind: 'comment', comment_html: '<p>Hm.</p>' },
      { kind: 'change', action: 'create_task', by: { kind: 'agent', id: robot.agent_id } },
    ]);
    expect([...(first.entries as Rows), ...(rest.entries as Rows)]).toEqual(entries);
  });

  it('lists questions with their answers, and who asked and answered', async () => {
    await using board = await createBoardWorld();
    const { world, task, robot } = board;
    const task_id = await task();
    const ask = async (question: string, options: readonly object[] = []): Promise<unknown> =>
      (await world.ask('ask_person', { task_id, question, options, wait_ms: 0 }, robot)).approval_id;
    const [first, second] = [await ask('When?'), await ask('Which port?', [{ option: '80', label: 'The usual' }])];
    await world.ask('respond_approval', { approval_id: first, answer: 'At once.' });
    await world.ask('respond_approval', { approval_id: second, option: '80' });
    world.time.now += 1_000;
    const third = await ask('Why?');

    const { entries } = (await world.ask('list_task_story', { task_id })) as { entries: Rows };

    const by = { kind: 'agent', id: robot.agent_id };
    const answered_by = { kind: 'user', name: 'owner' };
    const asked = entries.filter(({ kind }) => kind === 'question');
    expect(asked[0]).toMatchObject({ id: third, by, question: { text: 'Why?', status: 'pending', answered_by: null } });
    expect(asked).toHaveLength(3);
    expect(asked).toContainEqual(
      expect.objectContaining({
        id: first,
        question: expect.objectContaining({
          text: 'When?',
          answer: 'At once.',
          answered_by: expect.objectContaining(answered_by),
        }),
      }),
    );
    expect(asked).toContainEqual(
      expect.objectContaining({
        id: second,
        question: expect.objectContaining({ text: 'Which port?', answer: 'The usual', status: 'approved' }),
      }),
    );
  });

  it('lists what an executor asked as its question, and shows an agent within an attempt no other questions', async () => {
    await using world = await createWorld();
    const { caller, start, task_id } = await aSteeredRun(world);
    await start({ task_id });
    await world.ask('ask_person', { question: 'Here?', wait_ms: 0 }, caller);
    await world.ask('ask_person', { task_id, question: 'There?', wait_ms: 0 });
    const asked = async (who?: typeof caller) =>
      ((await world.ask('list_task_story', { task_id }, who)) as { entries: Rows }).entries.filter(
        ({ kind }) => kind === 'question',
      );

    expect(await asked(caller)).toMatchObject([
      { by: null, question: { text: 'Here?', executor: expect.any(String) } },
    ]);
    expect(await asked()).toHaveLength(2);
  });

  it('tells nothing of a task out of reach', async () => {
    await using board = await createBoardWorld();
    const { world, task, agent, project } = board;
    const stranger = await agent({ projects: [await project('Elsewhere')], scopes: ['board:read'] });

    expect((await world.refuse('list_task_story', { task_id: await task() }, stranger)).code).toBe('not_found');
  });
});
