import { describe, expect, it } from 'vitest';
import { ATTEMPT_DEFAULTS } from '#domain/attempt';
import type { AttemptId, ProjectId, RunId, SessionId, WorkItemId } from '#domain/ids';
import { aBoard, anExecutor, aWorker } from '#testing/attempts';
import { createWorld, type World } from '#testing/world';

/** An attempt whose first run has ended. */
async function aRestingAttempt(world: World) {
  const board = await aBoard(world);
  const worker = await aWorker(world);
  const { attempt_id, session_id } = await board.start();
  await worker.finish(await worker.take(), { status: 'completed', reason: null, summary: 'Done.' }, []);
  return { ...board, worker, attempt_id: attempt_id as AttemptId, session_id: session_id as SessionId };
}

const promptOf = async (world: World, execution_id: unknown) =>
  (await world.store.reads.queue.findForWorker(execution_id as RunId))?.prompt;

/** A later session of the same attempt. */
const addSession = (world: World, attempt_id: AttemptId, id: string, created_at: number): Promise<void> =>
  world.store.transaction((tx) =>
    tx.attempts.insertSession({
      id: id as SessionId,
      attempt_id,
      executor: 'scripted',
      variant: null,
      agent_session_id: null,
      created_at,
      updated_at: created_at,
    }),
  );

describe('follow_up send', () => {
  it.each([
    ['[B-FOLLOW-S1, B-FOLLOW-2, B-ATTEMPT-S1] by attempt_id', 'attempt_id'],
    ['[B-FOLLOW-S2, B-FOLLOW-3] by workspace_id', 'workspace_id'],
  ])('%s starts a run in the latest session', async (_, field) => {
    await using world = await createWorld();
    const { attempt_id, task_id } = await aRestingAttempt(world);
    const later = '10000000-0000-7000-8000-000000000002';
    await addSession(world, attempt_id, later, world.time.now + 5);
    await addSession(world, attempt_id, '10000000-0000-7000-8000-000000000001', world.time.now + 4);
    await addSession(world, attempt_id, '10000000-0000-7000-8000-000000000003', world.time.now + 5);
    const { latest_attempt_id } = await world.ask('list_task_attempts', { task_id });

    const sent = await world.ask('follow_up', { [field]: latest_attempt_id, action: 'send', prompt: 'Now the tests.' });

    expect(sent).toEqual({ attempt_id, session_id: later, execution_id: expect.any(String), queue: [] });
    expect(await promptOf(world, sent.execution_id)).toBe('Now the tests.');
    expect(await world.ask('get_attempt', { attempt_id })).toMatchObject({
      task: { status: 'inprogress' },
      run: { execution_id: sent.execution_id, session_id: later, status: 'queued' },
    });
  });

  it('[B-FOLLOW-S3, B-FOLLOW-1] by session_id starts a run in that session', async () => {
    await using world = await createWorld();
    const { attempt_id, session_id } = await aRestingAttempt(world);
    await addSession(world, attempt_id, '10000000-0000-7000-8000-000000000002', world.time.now + 5);

    const sent = await world.ask('follow_up', { session_id, action: 'send', prompt: 'Go on.' });

    expect(sent).toMatchObject({ attempt_id, session_id, execution_id: expect.any(String) });
  });

  it.each(['send', 'queue'])('by action %s records in the audit trail what it has started', async (action) => {
    await using world = await createWorld();
    const { attempt_id } = await aRestingAttempt(world);

    await world.ask('follow_up', { attempt_id, action, prompt: 'Go on.' });

    const entry = (await world.store.reads.audit.page(0, 1_000)).at(-1);
    expect(entry).toMatchObject({ action: 'follow_up', entity_id: attempt_id, after_digest: expect.any(String) });
  });

  it('is refused while a run of the attempt is queued or running, and says what to do instead', async () => {
    await using world = await createWorld();
    const { attempt_id, worker } = await aRestingAttempt(world);
    await world.ask('follow_up', { attempt_id, action: 'send', prompt: 'one' });

    const queued = await world.refuse('follow_up', { attempt_id, action: 'send', prompt: 'two' });
    await worker.take();
    const running = await world.refuse('follow_up', { attempt_id, action: 'send', prompt: 'two' });

    for (const error of [queued, running]) {
      expect(error).toMatchObject({ code: 'run_in_progress', hint: expect.stringContaining('"queue"') });
    }
  });

  it('[B-FOLLOW-5] accepts a variant of the executor, and without one uses that of the session', async () => {
    await using world = await createWorld();
    const { start } = await aBoard(world);
    const worker = await aWorker(world, [anExecutor({ variants: ['fast', 'deep'] })]);
    const { attempt_id } = await start({ variant: 'fast' });
    const end = async (): Promise<void> =>
      worker.finish(await worker.take(), { status: 'completed', reason: null }, []);
    await end();
    const send = (fields: Record<string, unknown>) =>
      world.ask('follow_up', { attempt_id, action: 'send', prompt: 'Go on.', ...fields });

    const plain = await send({});
    await end();
    const deep = await send({ variant: 'deep' });
    await end();
    const refused = await world.refuse('follow_up', { attempt_id, action: 'send', prompt: 'x', variant: 'slow' });

    const variants = await Promise.all(
      [plain, deep].map(
        async ({ execution_id }) => (await world.store.reads.queue.findForWorker(execution_id as RunId))?.variant,
      ),
    );
    expect(variants).toEqual(['fast', 'deep']);
    expect(refused).toMatchObject({ code: 'validation_error', hint: expect.stringContaining('fast, deep') });
  });

  it('is refused when no worker could run it', async () => {
    await using world = await createWorld();
    const { attempt_id } = await aRestingAttempt(world);
    const send = { attempt_id, action: 'send', prompt: 'Go on.' };
    world.time.now += 60_000;

    const nobody = await world.refuse('follow_up', send);
    await aWorker(world, [anExecutor({ executor: 'other' })]);
    const others = await world.refuse('follow_up', send);

    expect(nobody).toMatchObject({ code: 'executor_unavailable', message: expect.stringContaining('errand worker') });
    expect(others).toMatchObject({ code: 'executor_unavailable', message: expect.stringContaining('scripted') });
  });
});

describe('follow_up queue', () => {
  it.each([
    ['[B-FOLLOW-S4] by workspace_id', 'workspace_id'],
    ['[B-FOLLOW-S5] by session_id', 'session_id'],
  ])('%s puts the message at the end of the queue and returns the queue', async (_, field) => {
    await using world = await createWorld();
    const { start } = await aBoard(world);
    const worker = await aWorker(world);
    const { attempt_id, session_id } = await start();
    const target = { [field]: field === 'session_id' ? session_id : attempt_id };

    await world.ask('follow_up', { ...target, action: 'queue', prompt: 'one' });
    const second = await world.ask('follow_up', { ...target, action: 'queue', prompt: `two ${'x'.repeat(200)}` });

    expect(second).toEqual({
      attempt_id,
      session_id,
      queued_id: expect.any(String),
      queue: [
        { queued_id: expect.any(String), prompt: 'one', created_at: expect.any(String) },
        { queued_id: second.queued_id, prompt: expect.stringMatching(/^two x+…$/), created_at: expect.any(String) },
      ],
    });
    await worker.finish(await worker.take(), { status: 'completed', reason: null }, []);
    expect((await worker.take()).entry.prompt).toBe('one');
    expect(await world.ask('get_attempt', { attempt_id })).toMatchObject({ queued: 1, run: { status: 'running' } });
  });

  it('starts the run at once when no other run is active', async () => {
    await using world = await createWorld();
    const { attempt_id, session_id } = await aRestingAttempt(world);

    const queued = await world.ask('follow_up', { attempt_id, action: 'queue', prompt: 'Go on.' });

    expect(queued).toEqual({ attempt_id, session_id, execution_id: expect.any(String), queue: [] });
  });

  it('keeps at most twenty prompts, and its answer stays short', async () => {
    await using world = await createWorld();
    const { start } = await aBoard(world);
    await aWorker(world);
    const { attempt_id } = await start();
    const queue = { attempt_id, action: 'queue', prompt: '"'.repeat(500) };
    for (let count = 1; count < 20; count++) await world.ask('follow_up', queue);

    const last = await world.ask('follow_up', queue);
    const refused = await world.refuse('follow_up', queue);

    expect(last.queue).toHaveLength(20);
    expect(JSON.stringify(last).length).toBeLessThan(4_000);
    expect(refused).toMatchObject({ code: 'conflict', hint: expect.stringContaining('cancel') });
  });
});

describe('follow_up cancel', () => {
  it('[B-FOLLOW-S6] cancels one message, or all, and returns the queue', async () => {
    await using world = await createWorld();
    const { start } = await aBoard(world);
    const worker = await aWorker(world);
    const { attempt_id, session_id } = await start();
    const queue = (prompt: string) => world.ask('follow_up', { attempt_id, action: 'queue', prompt });
    await queue('one');
    const { queued_id } = await queue('two');
    await queue('three');

    const one = await world.ask('follow_up', { session_id, action: 'cancel', queued_id });
    const rest = await world.ask('follow_up', { attempt_id, action: 'cancel' });
    const none = await world.ask('follow_up', { attempt_id, action: 'cancel' });

    expect(one).toMatchObject({ cancelled: 1, queue: [{ prompt: 'one' }, { prompt: 'three' }] });
    expect(rest).toEqual({ attempt_id, session_id, cancelled: 2, queue: [] });
    expect(none).toEqual({ attempt_id, session_id, cancelled: 0, queue: [] });
    await worker.finish(await worker.take(), { status: 'completed', reason: null }, []);
    await expect(worker.take()).rejects.toThrow('no run waits');
  });

  it('cancels nothing by an id that is not in the session, and nothing that has started', async () => {
    await using world = await createWorld();
    const { start } = await aBoard(world);
    const worker = await aWorker(world);
    const { attempt_id } = await start();
    const { queued_id } = await world.ask('follow_up', { attempt_id, action: 'queue', prompt: 'one' });
    await worker.finish(await worker.take(), { status: 'completed', reason: null }, []);
    await world.ask('follow_up', { attempt_id, action: 'queue', prompt: 'two' });
    const cancel = { attempt_id, action: 'cancel' };

    const unknown = await world.refuse('follow_up', { ...cancel, queued_id: 'nothing' });
    const begun = await world.ask('follow_up', { ...cancel, queued_id });

    expect(unknown.code).toBe('not_found');
    expect(begun).toMatchObject({ cancelled: 0, queue: [{ prompt: 'two' }] });
  });
});

describe('follow_up', () => {
  it.each([
    ['neither attempt nor session', {}],
    [
      'both of them',
      { attempt_id: '10000000-0000-7000-8000-000000000001', session_id: '10000000-0000-7000-8000-000000000001' },
    ],
  ])('is refused with %s', async (_, target) => {
    await using world = await createWorld();

    const refused = await world.refuse('follow_up', { ...target, action: 'send', prompt: 'x' });

    expect(refused).toMatchObject({ code: 'validation_error', message: expect.stringContaining('attempt_id') });
  });

  it.each(['send', 'queue'])('[B-FOLLOW-4] needs a prompt to %s', async (action) => {
    await using world = await createWorld();
    const { attempt_id } = await aRestingAttempt(world);

    const missing = await world.refuse('follow_up', { attempt_id, action });
    const empty = await world.refuse('follow_up', { attempt_id, action, prompt: ' \n ' });
    const invisible = await world.refuse('follow_up', { attempt_id, action, prompt: '\u200B' });
    const long = await world.refuse('follow_up', { attempt_id, action, prompt: 'x'.repeat(100_001) });

    for (const error of [missing, empty, invisible, long]) {
      expect(error).toMatchObject({ code: 'validation_error', message: expect.stringContaining('prompt') });
    }
  });

  it('[B-FOLLOW-S7] of an attempt without a session says that it has none', async () => {
    await using world = await createWorld();
    const { project_id, task_id } = await aBoard(world);
    const attempt_id = '10000000-0000-7000-8000-000000000001' as AttemptId;
    await world.store.transaction((tx) =>
      tx.attempts.insert(
        {
          id: attempt_id,
          workspace_id: world.owner.workspace_id,
          project_id: project_id as ProjectId,
          work_item_id: task_id as WorkItemId,
          branch: 'errand/x',
          ...ATTEMPT_DEFAULTS,
          created_by_user_id: world.owner.user_id,
          created_by_agent_id: null,
          created_at: world.time.now,
          updated_at: world.time.now,
        },
        [],
      ),
    );

    const refused = await world.refuse('follow_up', { attempt_id, action: 'send', prompt: 'x' });

    expect(refused).toMatchObject({ code: 'no_session', message: expect.stringContaining('no session') });
  });

  it('[B-ATTEMPT-S2] answers attempt_id, and never workspace_id', async () => {
    await using world = await createWorld();
    const { attempt_id } = await aRestingAttempt(world);

    const sent = await world.ask('follow_up', { workspace_id: attempt_id, action: 'send', prompt: 'x' });

    expect(sent).toHaveProperty('attempt_id', attempt_id);
    expect(JSON.stringify(sent)).not.toContain('workspace_id');
  });
});
