import { describe, expect, it } from 'vitest';
import type { RunId } from '#domain/ids';
import { aBoard, anExecutor, aWorker } from '#testing/attempts';
import { createWorld } from '#testing/world';

describe('start_task_attempt', () => {
  it('[B-ATTEMPT-2] creates an attempt with its own branch, and queues its first run', async () => {
    await using world = await createWorld();
    const { task_id, repo_id, start } = await aBoard(world);
    await aWorker(world);

    const started = await start({ variant: 'fast', prompt: 'Mind the tests.' });

    expect(Object.keys(started)).toEqual(['task_id', 'attempt_id', 'key', 'session_id', 'execution_id']);
    const { attempt_id, session_id, execution_id } = started;
    expect(await world.ask('get_attempt', { attempt_id, include: ['prompt'] })).toMatchObject({
      attempt_id,
      task: { task_id, title: 'Fix the login', status: 'inprogress' },
      workspace_branch: `errand/fix-the-login-${String(attempt_id).slice(-6)}`,
      folders: 'none',
      run: {
        execution_id,
        session_id,
        status: 'queued',
        prompt: expect.stringMatching(/Fix the login.*It fails\..*Mind the tests\./s),
      },
      repos: [{ repo_id, repo_name: 'shop', target_branch: 'main', base_commit: null, head_commit: null }],
      sessions: [{ session_id, executor: 'scripted', variant: 'fast' }],
      changes: { files: 0, insertions: 0, deletions: 0, commits: null },
      approvals: [],
      queue: [],
    });
    expect(await world.ask('get_task', { task_id })).toMatchObject({
      latest_attempt_id: attempt_id,
      latest_session_id: session_id,
      has_in_progress_attempt: true,
    });
  });

  it('accepts another branch of a repository, if git accepts the name', async () => {
    await using world = await createWorld();
    const { task_id, repo_id, start } = await aBoard(world);
    await aWorker(world);

    const { attempt_id } = await start({ repos: [{ repo_id, target_branch: 'release/1.0' }] });
    const refused = await world.refuse('start_task_attempt', {
      task_id,
      executor: 'scripted',
      repos: [{ repo_id, target_branch: '--upload-pack=x' }],
    });

    expect(await world.ask('get_attempt', { attempt_id })).toMatchObject({ repos: [{ target_branch: 'release/1.0' }] });
    expect(refused).toMatchObject({ code: 'validation_error', message: expect.stringContaining('start with a dash') });
  });

  it('accepts repositories of the project only, each once', async () => {
    await using world = await createWorld();
    const { task_id, repo_id } = await aBoard(world);
    await aWorker(world);
    const other = await world.ask('admin_add_project', { name: 'Other' });
    const elsewhere = await world.ask('admin_add_repo', {
      project_id: other.project_id,
      path: '/repos/other',
      target_branch: 'main',
    });
    const refuse = (repos: unknown) => world.refuse('start_task_attempt', { task_id, executor: 'scripted', repos });

    const foreign = await refuse([{ repo_id: elsewhere.repo_id }]);
    const twice = await refuse([{ repo_id }, { repo_id, target_branch: 'dev' }]);
    const none = await refuse([]);

    for (const error of [foreign, twice, none]) expect(error.code).toBe('validation_error');
    expect(foreign).toMatchObject({ hint: expect.stringContaining('list_repos') });
    expect(await world.ask('list_task_attempts', { task_id })).toMatchObject({ attempts: [] });
  });

  it('is refused for a blocked task, and names the blockers', async () => {
    await using world = await createWorld();
    const { project_id, repo_id, task_id: blocker } = await aBoard(world);
    await aWorker(world);
    const { task_id } = await world.ask('create_task', { project_id, title: 'Ship', blocked_by: [blocker] });
    const start = { task_id, executor: 'scripted', repos: [{ repo_id }] };

    const refused = await world.refuse('start_task_attempt', start);
    await world.ask('update_task', { task_id: blocker, status: 'cancelled' });
    const cancelled = await world.refuse('start_task_attempt', start);
    await world.ask('update_task', { task_id: blocker, status: 'done' });

    expect(refused).toMatchObject({ code: 'task_blocked', message: expect.stringContaining('completed: SHO-1.') });
    expect(refused.details).toEqual({ blocked_by: [blocker] });
    expect(cancelled.code).toBe('task_blocked');
    expect(await world.ask('start_task_attempt', start)).toHaveProperty('attempt_id');
  });

  it('is refused for a task that is over', async () => {
    await using world = await createWorld();
    const { task_id, repo_id } = await aBoard(world);
    await aWorker(world);
    await world.ask('update_task', { task_id, status: 'done' });

    const refused = await world.refuse('start_task_attempt', { task_id, executor: 'scripted', repos: [{ repo_id }] });

    expect(refused).toMatchObject({ code: 'conflict', message: expect.stringContaining('done') });
  });

  it('is refused for a task that another caller has claimed, and not for the holder', async () => {
    await using world = await createWorld();
    const { project_id, task_id, repo_id, start } = await aBoard(world);
    await aWorker(world);
    const user_id = await world.addUser('Ann');
    await world.ask('admin_add_member', { project_id, user_id, role: 'member' });
    const scopes = ['board:read', 'board:write', 'board:run'];
    const ann = await world.callerWith({ user_id, scopes });
    await world.ask('next_task', { task_id }, ann);
    const attempt = { task_id, executor: 'scripted', repos: [{ repo_id }] };

    const refused = await world.refuse('start_task_attempt', attempt);

    expect(refused).toMatchObject({ code: 'conflict', message: expect.stringContaining('claimed') });
    expect(await world.ask('start_task_attempt', attempt, ann)).toHaveProperty('attempt_id');
    world.time.now += 24 * 60 * 60_000;
    await aWorker(world);
    expect(await start()).toHaveProperty('attempt_id');
  });

  it('may be called again while an attempt runs: several attempts at one task have several branches', async () => {
    await using world = await createWorld();
    const { task_id, start } = await aBoard(world);
    await aWorker(world);

    const first = await start();
    const second = await start();

    const { attempts } = await world.ask('list_task_attempts', { task_id });
    expect(new Set([first.attempt_id, second.attempt_id]).size).toBe(2);
    expect(new Set((attempts as { workspace_branch: string }[]).map((row) => row.workspace_branch)).size).toBe(2);
  });

  it('sends an event to every follower of the project', async () => {
    await using world = await createWorld();
    const { start } = await aBoard(world);
    await aWorker(world);
    const after = await world.store.reads.events.head();

    const { attempt_id, execution_id } = await start();

    const events = await world.store.reads.events.page({ after, limit: 50 });
    expect(events.map(({ kind, entity_id }) => [kind, entity_id])).toEqual(
      expect.arrayContaining([
        ['attempt.created', attempt_id],
        ['execution.created', execution_id],
      ]),
    );
    expect(events.filter(({ kind }) => kind === 'attempt.created')).toHaveLength(1);
  });

  it('answers a repeated call with the same attempt', async () => {
    await using world = await createWorld();
    const { task_id, start } = await aBoard(world);
    await aWorker(world);

    const first = await start({ idempotency_key: 'k' });
    const again = await start({ idempotency_key: 'k' });

    expect(again).toEqual(first);
    expect((await world.ask('list_task_attempts', { task_id })).attempts).toHaveLength(1);
  });
});

describe('executors', () => {
  it('are those of all workers, the ready ones first', async () => {
    await using world = await createWorld();
    const broken = anExecutor({ is_ready: false, problem: 'Not logged in: run scripted login.' });
    await aWorker(world, [broken, anExecutor({ executor: 'other', variants: [] })], 'a');
    await aWorker(world, [anExecutor({ version: '2' })], 'b');

    const { executors } = await world.ask('list_executors', {});

    expect(executors).toEqual([anExecutor({ version: '2' }), anExecutor({ executor: 'other', variants: [] })]);
  });

  it('are none when no worker runs, and the answer says so', async () => {
    await using world = await createWorld();
    const { task_id, repo_id } = await aBoard(world);
    await aWorker(world);
    world.time.now += 60_000;

    const listed = await world.ask('list_executors', {});
    const refused = await world.refuse('start_task_attempt', { task_id, executor: 'scripted', repos: [{ repo_id }] });

    expect(listed).toEqual({ executors: [], note: expect.stringContaining('errand worker') });
    expect(refused).toMatchObject({ code: 'executor_unavailable', message: expect.stringContaining('errand serve') });
  });

  it('must be offered, ready, and have the variant', async () => {
    await using world = await createWorld();
    const { task_id, repo_id } = await aBoard(world);
    await aWorker(world, [
      anExecutor(),
      anExecutor({ executor: 'broken', is_ready: false, problem: 'Not logged in: run broken login.' }),
    ]);
    const refuse = (fields: Record<string, unknown>) =>
      world.refuse('start_task_attempt', { task_id, repos: [{ repo_id }], ...fields });

    const unknown = await refuse({ executor: 'nobody' });
    const broken = await refuse({ executor: 'broken' });
    const variant = await refuse({ executor: 'scripted', variant: 'slow' });

    expect(unknown).toMatchObject({ code: 'validation_error', hint: expect.stringContaining('scripted, broken') });
    expect(broken).toMatchObject({ code: 'executor_unavailable', message: expect.stringContaining('broken login') });
    expect(variant).toMatchObject({ code: 'validation_error', hint: expect.stringContaining('fast') });
  });
});

describe('stop_attempt', () => {
  it('ends a queued run at once, and cancels the queued follow-ups', async () => {
    await using world = await createWorld();
    const { task_id, start } = await aBoard(world);
    await aWorker(world);
    const { attempt_id } = await start();
    for (const prompt of ['one', 'two']) await world.ask('follow_up', { attempt_id, action: 'queue', prompt });

    const stopped = await world.ask('stop_attempt', { attempt_id });
    const again = await world.ask('stop_attempt', { attempt_id });

    expect(stopped).toEqual({ attempt_id, stopping: true, cancelled: 2 });
    expect(again).toEqual({ attempt_id, stopping: false, cancelled: 0 });
    expect(await world.ask('get_attempt', { attempt_id })).toMatchObject({
      run: { status: 'killed', reason: 'stopped' },
      queued: 0,
    });
    expect(await world.ask('get_task', { task_id })).toMatchObject({ has_in_progress_attempt: false });
  });

  it('with a run ends only that run: then a queued follow-up starts, and a later run goes on', async () => {
    await using world = await createWorld();
    const { start } = await aBoard(world);
    const worker = await aWorker(world);
    const { attempt_id, execution_id } = await start();
    await world.ask('follow_up', { attempt_id, action: 'queue', prompt: 'Go on.' });

    const stopped = await world.ask('stop_attempt', { attempt_id, execution_id });
    const next = await worker.take();
    await world.ask('follow_up', { attempt_id, action: 'queue', prompt: 'And on.' });
    const late = await world.ask('stop_attempt', { attempt_id, execution_id });

    expect(stopped).toEqual({ attempt_id, stopping: true, cancelled: 0 });
    expect(late).toEqual({ attempt_id, stopping: false, cancelled: 0 });
    expect(await worker.toStop('worker-1')).toEqual([]);
    expect(await world.ask('get_attempt', { attempt_id })).toMatchObject({
      run: { execution_id: next.execution_id, status: 'running' },
      queued: 1,
    });
  });

  it('moves a task back that no agent has started, and leaves a started one in review', async () => {
    await using world = await createWorld();
    const { task_id, start } = await aBoard(world);
    const worker = await aWorker(world);
    const status = async () => (await world.ask('get_task', { task_id })).status;
    const stop = (attempt_id: unknown) => world.ask('stop_attempt', { attempt_id });

    const never = await start();
    await stop(never.attempt_id);
    const unbegun = await status();
    const { attempt_id } = await start();
    const run = await worker.take();
    await worker.beginSpawn(run);
    await worker.finish(run, { status: 'completed', reason: null }, []);
    await world.ask('follow_up', { attempt_id, action: 'send', prompt: 'Go on.' });
    await stop(attempt_id);
    const begun = await status();
    await stop((await start()).attempt_id);

    expect([unbegun, begun, await status()]).toEqual(['todo', 'inreview', 'inreview']);
  });

  it('does not move a task back while a run of another attempt is queued', async () => {
    await using world = await createWorld();
    const { task_id, start } = await aBoard(world);
    await aWorker(world);
    const { attempt_id } = await start();
    await start();

    await world.ask('stop_attempt', { attempt_id });

    expect((await world.ask('get_task', { task_id })).status).not.toBe('todo');
  });

  it('asks the worker once to end its run, and wakes it', async () => {
    await using world = await createWorld();
    const { start } = await aBoard(world);
    const worker = await aWorker(world);
    const { attempt_id, execution_id } = await start();
    await worker.take();
    const after = await world.store.reads.events.head();

    const first = await world.ask('stop_attempt', { attempt_id });
    const asked_at = (await world.store.reads.queue.findForWorker(execution_id as RunId))?.stop_requested_at;
    world.time.now += 1_000;
    const second = await world.ask('stop_attempt', { attempt_id });

    expect([first, second]).toEqual(Array(2).fill({ attempt_id, stopping: true, cancelled: 0 }));
    expect(await worker.toStop('worker-1')).toEqual([{ execution_id, why: 'stopped' }]);
    const run = await world.store.reads.queue.findForWorker(execution_id as RunId);
    expect(run).toMatchObject({ stop_requested_at: asked_at, run: { status: 'running' } });
    const events = await world.store.reads.events.page({ after, limit: 50 });
    expect(events.filter(({ kind }) => kind === 'execution.updated')).toHaveLength(1);
  });
});

describe('remove_attempt', () => {
  it('requests the removal of the folders, when there are some and no run uses them', async () => {
    await using world = await createWorld();
    const { start } = await aBoard(world);
    const worker = await aWorker(world);
    const { attempt_id } = await start();
    const run = await worker.take();

    const running = await world.refuse('remove_attempt', { attempt_id });
    await worker.finish(run, { status: 'completed', reason: null }, []);
    const kept = await world.ask('get_attempt', { attempt_id });
    const asked = await world.ask('remove_attempt', { attempt_id });

    expect(running).toMatchObject({ code: 'run_in_progress', hint: expect.stringContaining('stop_attempt') });
    expect(kept).toMatchObject({ folders: 'kept' });
    expect(asked).toEqual({ attempt_id, folders: 'removal_requested' });
    expect(await world.ask('get_attempt', { attempt_id })).toMatchObject({ folders: 'removal_requested' });
  });

  it('has nothing to remove before the first run', async () => {
    await using world = await createWorld();
    const { start } = await aBoard(world);
    await aWorker(world);
    const { attempt_id } = await start();
    await world.ask('stop_attempt', { attempt_id });

    expect(await world.ask('remove_attempt', { attempt_id })).toEqual({ attempt_id, folders: 'none' });
  });
});
