import { describe, expect, it } from 'vitest';
import { aShippable } from '#testing/git-jobs';
import { aSteeredRun } from '#testing/steered';
import { createWorld } from '#testing/world';

const COMPLETED = { status: 'completed', reason: null, summary: 'Done.' } as const;

describe('[L-STEER] list_inbox', () => {
  it('names the agent that started an attempt, and the executor of one that a person started', async () => {
    await using world = await createWorld();
    const { worker, project_id, run } = await aSteeredRun(world);
    await worker.finish(run, COMPLETED, []);
    const made = { name: 'kite', project_ids: [project_id], scopes: ['board:read', 'board:write', 'board:run'] };
    const { agent_id, token } = await world.ask('admin_create_agent', made);
    const { task_id } = await world.ask('create_task', { project_id, title: 'Second' });
    const kite = await world.gateway.authenticate(String(token));
    world.time.now += 10;
    await world.ask('start_task_attempt', { task_id, executor: 'scripted', repos: [{ repo_id: 'shop' }] }, kite);
    await worker.finish(await worker.take(), COMPLETED, []);

    const { rows } = await world.ask('list_inbox', {});

    expect(rows).toMatchObject([
      { kind: 'review', task_key: 'SHO-2', by: { id: agent_id, name: 'kite' } },
      { kind: 'review', task_key: 'SHO-1', by: { id: 'scripted', name: 'scripted' } },
    ]);
  });

  it('lists questions, reviews and failures, newest first, with counts, page by page', async () => {
    await using world = await createWorld();
    const site = await aSteeredRun(world);
    const { worker, start, project_id, caller } = site;
    await world.ask('ask_person', { question: 'Which port?', wait_ms: 0 }, caller);
    const second = await world.ask('create_task', { project_id, title: 'Second' });
    const third = await world.ask('create_task', { project_id, title: 'Third' });
    world.time.now += 10;
    await start({ task_id: second.task_id });
    await worker.finish(await worker.take(), { status: 'failed', reason: 'exit 3' }, []);
    world.time.now += 10;
    await start({ task_id: third.task_id });
    await worker.finish(await worker.take(), COMPLETED, []);

    const { rows, counts } = await world.ask('list_inbox', {});
    const first = await world.ask('list_inbox', { limit: 1 });
    const rest = await world.ask('list_inbox', { limit: 5, cursor: first.next_cursor });

    expect(rows).toMatchObject([
      {
        kind: 'review',
        task_key: 'SHO-3',
        attempt_key: 'SHO-3.1',
        title: 'Third',
        text: null,
        approval_id: null,
        review: { files: 0 },
      },
      { kind: 'failed', task_key: 'SHO-2', title: 'Second', text: 'exit 3', review: null },
      { kind: 'question', task_key: 'SHO-1', text: 'Which port?', approval_id: expect.any(String) },
    ]);
    expect(counts).toEqual({ question: 1, permission: 0, review: 1, failed: 1, stalled: 0, job: 0 });
    expect([...(first.rows as object[]), ...(rest.rows as object[])]).toEqual(rows);
    await world.ask('update_task', { task_id: third.task_id, status: 'done' });
    await start({ task_id: second.task_id });
    expect(await world.ask('list_inbox', { project_id: 'SHO' })).toMatchObject({ rows: [{ task_key: 'SHO-1' }] });
  });

  it('says who waits, what a question is about and what it can be answered with', async () => {
    await using world = await createWorld();
    const { worker, run } = await aSteeredRun(world);
    const options = [{ option: 'once', name: 'Allow', kind: 'allow_once' }];
    await worker.log.ask(run, {
      kind: 'permission',
      question: 'Run it?',
      details: 'npm test',
      options: JSON.stringify(options),
    });

    expect(await world.ask('list_inbox', {})).toMatchObject({
      rows: [
        { details: 'npm test', options, execution_id: run.execution_id, by: { id: 'scripted', name: 'scripted' } },
      ],
    });
  });

  it('says why a merge failed', async () => {
    await using world = await createWorld();
    const ship = await aShippable(world);
    const merging = world.refuse('merge_attempt', { attempt_id: await ship.attempt() });
    const { job } = await ship.take();
    await ship.jobs.finish(job, { status: 'failed', result: { code: 'partial', reason: 'main was moved meanwhile.' } });
    await merging;

    expect(await world.ask('list_inbox', {})).toMatchObject({
      rows: expect.arrayContaining([expect.objectContaining({ kind: 'job', text: 'main was moved meanwhile.' })]),
    });
  });

  it('lists a question about a task alone, and nothing of projects out of reach', async () => {
    await using world = await createWorld();
    const { task_id } = await aSteeredRun(world);
    await world.ask('ask_person', { question: 'Now or later?', task_id, wait_ms: 0 });
    const { project_id } = await world.ask('admin_add_project', { name: 'Elsewhere' });
    const { token } = await world.ask('admin_create_agent', {
      name: 'stranger',
      project_ids: [project_id],
      scopes: ['board:read'],
    });
    // As the tool declares it.
    const stranger = await world.gateway.authenticate(token as string);

    expect(await world.ask('get_task', { task_id })).toMatchObject({
      questions: [{ approval_id: expect.any(String), question: 'Now or later?' }],
    });
    expect(await world.ask('list_inbox', {})).toMatchObject({ rows: [{ kind: 'question', attempt_key: null }] });
    expect(await world.ask('list_inbox', {}, stranger)).toMatchObject({ rows: [], counts: { question: 0 } });
  });
});

describe('[L-STEER] the plan of a run', () => {
  it('is shown with its entries, and counts what is still to come', async () => {
    await using world = await createWorld();
    const { worker, run, attempt_id } = await aSteeredRun(world);
    const entries = [
      { content: 'Read', status: 'completed' },
      { content: 'Write', status: 'running' },
      { content: 'Test', status: 'pending' },
      { content: 'Tidy', status: 'pending' },
    ] as const;

    await worker.log.write(run, [{ type: 'plan', entries }]);

    const view = await world.ask('get_attempt', { attempt_id });
    expect(view.run).toMatchObject({ plan: entries, steps_done: 0, steps_total: 2 });
    await worker.finish(run, COMPLETED, []);
    expect((await world.ask('get_attempt', { attempt_id })).run).toMatchObject({ steps_total: 0 });
  });
});
