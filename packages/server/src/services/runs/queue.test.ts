import { describe, expect, it } from 'vitest';
import type { RunId } from '#domain/ids';
import type { QueuedRun } from '#domain/queued-run';
import type { RunStatus } from '#domain/run';
import { aBoard, anExecutor, aWorker } from '#testing/attempts';
import { createWorld, type World } from '#testing/world';
import { RunLost } from './held-run.ts';

type Worker = Awaited<ReturnType<typeof aWorker>>;

const LEASE_MS = 30_000;
const COMPLETED = { status: 'completed', reason: null, summary: 'Done.' } as const;

async function open() {
  const world = await createWorld();
  const board = await aBoard(world);
  const worker = await aWorker(world);
  return { world, ...board, worker, [Symbol.asyncDispose]: () => world.store.close() };
}

const statusOf = async ({ store }: World, id: unknown): Promise<RunStatus | undefined> =>
  (await store.reads.queue.findForWorker(id as RunId))?.run.status;

const followUp = (world: World, fields: Record<string, unknown>): Promise<Record<string, unknown>> =>
  world.ask('follow_up', fields);

/** Gives up another worker's lost run; false when it is no longer lost. */
async function giveUp(worker: Worker, lost: QueuedRun, dead: readonly string[] = []): Promise<boolean> {
  const taken = await worker.takeOver(lost, dead, { worker_id: 'worker-2', lease_ms: LEASE_MS });
  if (taken !== null) await worker.giveUp(taken, [], 'gone');
  return taken !== null;
}

describe('the queue of runs', () => {
  it('gives a run to one worker only, with a token that works for this attempt', async () => {
    await using site = await open();
    const { execution_id, attempt_id } = await site.start();
    const other = await aWorker(site.world, [anExecutor()], 'worker-2');

    const claimed = await site.worker.take();

    expect(claimed.execution_id).toBe(execution_id);
    await expect(other.take()).rejects.toThrow('no run waits');
    expect((await site.world.gateway.authenticate(claimed.secret)).attempt_id).toBe(attempt_id);
  });

  it('names the person who asked for a run, unless that is the owner of the machine', async () => {
    await using site = await open();
    const bob = await site.world.addUser('Bob');
    await site.world.ask('admin_add_member', { project_id: site.project_id, user_id: bob, role: 'member' });
    const caller = await site.world.callerWith({ user_id: bob, scopes: ['board:read', 'board:run'] });
    const { attempt_id } = await site.start();
    const first = await site.worker.take();
    await site.world.ask('follow_up', { attempt_id, action: 'queue', prompt: 'of Bob' }, caller);
    await site.worker.finish(first, COMPLETED, []);

    const second = await site.worker.take();

    expect([first.author, second.author]).toEqual([null, 'Bob']);
  });

  it('gives out no more runs of an executor than it has room for', async () => {
    await using site = await open();
    await site.start();
    await site.start();

    const claimed = await site.worker.claim({
      worker_id: 'worker-1',
      host_id: 'host-1',
      lease_ms: LEASE_MS,
      executors: new Map([['scripted', 1]]),
      limit: 10,
    });

    expect(claimed).toHaveLength(1);
  });

  it('never gives two runs of one attempt out at once', async () => {
    await using site = await open();
    const { attempt_id } = await site.start();
    await site.worker.take();

    await followUp(site.world, { attempt_id, action: 'queue', prompt: 'And then?' });

    await expect(site.worker.take()).rejects.toThrow('no run waits');
  });

  it('refuses every write of a worker that lost the run', async () => {
    await using site = await open();
    const { execution_id } = await site.start();
    const claimed = await site.worker.take();
    await site.worker.beginSpawn(claimed);
    site.world.time.now += LEASE_MS + 1;
    const [lost] = await site.worker.lost([]);
    if (lost === undefined) throw new Error('nothing is lost');
    await giveUp(site.worker, lost);

    const writes = [
      () => site.worker.finish(claimed, COMPLETED, []),
      () => site.worker.beginSpawn(claimed),
      () => site.worker.noteProcess(claimed, { pid: 1, pid_started: '1', boot_id: 'b' }),
      () => site.worker.noteRepos(claimed, []),
      () => site.worker.log.write(claimed, [{ type: 'feed', kind: 'output', text: 'late' }]),
      () => site.worker.log.ask(claimed, { kind: 'question', question: 'Late?', details: null, options: '[]' }),
    ];

    for (const write of writes) await expect(write()).rejects.toThrow(RunLost);
    expect(await statusOf(site.world, execution_id)).toBe('interrupted');
  });

  it('lets only one worker clean up after a lost run, and refuses its first worker from then on', async () => {
    await using site = await open();
    await site.start();
    const claimed = await site.worker.take();
    site.world.time.now += LEASE_MS + 1;
    const [lost] = await site.worker.lost([]);
    if (lost === undefined) throw new Error('nothing is lost');
    const wasHeld = await site.worker.isHeld(claimed);

    const first = await site.worker.takeOver(lost, [], { worker_id: 'worker-2', lease_ms: LEASE_MS });
    const second = await site.worker.takeOver(lost, [], { worker_id: 'worker-3', lease_ms: LEASE_MS });

    expect(first).toMatchObject({ worker_id: 'worker-2', host_id: 'host-1' });
    expect(second).toBeNull();
    expect([wasHeld, await site.worker.isHeld(claimed)]).toEqual([true, false]);
    await expect(site.worker.giveUp(claimed, [], 'gone')).rejects.toThrow(RunLost);
  });

  it('puts a lost run back whose process was never started', async () => {
    await using site = await open();
    const { execution_id } = await site.start();
    const { secret } = await site.worker.take();
    site.world.time.now += LEASE_MS + 1;
    const [lost] = await site.worker.lost([]);
    if (lost === undefined) throw new Error('nothing is lost');

    await giveUp(site.worker, lost);

    expect(await statusOf(site.world, execution_id)).toBe('queued');
    await expect(site.world.gateway.authenticate(secret)).rejects.toThrow('valid token');
    const again = await aWorker(site.world, [anExecutor()], 'worker-2');
    expect((await again.take()).execution_id).toBe(execution_id);
  });

  it('ends a lost run as stopped when a stop was requested', async () => {
    await using site = await open();
    const { execution_id, attempt_id } = await site.start();
    await site.worker.take();
    await site.world.ask('stop_attempt', { attempt_id });
    const [lost] = await site.worker.lost(['worker-1']);
    if (lost === undefined) throw new Error('nothing is lost');

    await giveUp(site.worker, lost, ['worker-1']);

    expect(await statusOf(site.world, execution_id)).toBe('killed');
  });

  it('does not end a run whose worker is back', async () => {
    await using site = await open();
    const { execution_id } = await site.start();
    const claimed = await site.worker.take();
    site.world.time.now += LEASE_MS + 1;
    const [lost] = await site.worker.lost([]);
    if (lost === undefined) throw new Error('nothing is lost');
    await site.worker.beat(
      {
        id: 'worker-1',
        host_id: 'host-1',
        host_name: 'host',
        boot_id: 'boot-1',
        pid: 1,
        pid_started: '1',
        executors: '[]',
        max_runs: 1,
        lease_ms: LEASE_MS,
      },
      [claimed],
    );

    const isGivenUp = await giveUp(site.worker, lost);

    expect(isGivenUp).toBe(false);
    expect(await statusOf(site.world, execution_id)).toBe('running');
  });

  it('does not start a process for a run that must stop', async () => {
    await using site = await open();
    const { attempt_id } = await site.start();
    const claimed = await site.worker.take();

    await site.world.ask('stop_attempt', { attempt_id });

    expect(await site.worker.beginSpawn(claimed)).toBe(false);
  });
});

describe('the end of a run', () => {
  it('starts the follow-up that waited longest, once, and leaves the others in order', async () => {
    await using site = await open();
    const { attempt_id } = await site.start();
    const first = await site.worker.take();
    await followUp(site.world, { attempt_id, action: 'queue', prompt: 'one' });
    await followUp(site.world, { attempt_id, action: 'queue', prompt: 'two' });

    await site.worker.finish(first, COMPLETED, []);
    const second = await site.worker.take();
    await site.worker.finish(second, { status: 'failed', reason: 'exit code 1' }, []);
    const third = await site.worker.take();

    expect([second.entry.prompt, third.entry.prompt]).toEqual(['one', 'two']);
    await expect(site.worker.take()).rejects.toThrow('no run waits');
  });

  it('does not start a cancelled follow-up', async () => {
    await using site = await open();
    const { attempt_id } = await site.start();
    const first = await site.worker.take();
    await followUp(site.world, { attempt_id, action: 'queue', prompt: 'one' });
    await followUp(site.world, { attempt_id, action: 'cancel' });

    await site.worker.finish(first, COMPLETED, []);

    await expect(site.worker.take()).rejects.toThrow('no run waits');
  });

  it('ends its token and its questions', async () => {
    await using site = await open();
    await site.start();
    const run = await site.worker.take();
    const approval_id = await site.worker.log.ask(run, {
      kind: 'question',
      question: 'Which?',
      details: null,
      options: '[]',
    });

    await site.worker.finish(run, COMPLETED, []);

    await expect(site.world.gateway.authenticate(run.secret)).rejects.toThrow('valid token');
    expect(await site.worker.log.answered(run)).toMatchObject([{ id: approval_id, status: 'expired' }]);
  });

  it('moves the task to review, unless a person has moved it on', async () => {
    await using site = await open();
    const { task_id } = await site.start();
    const run = await site.worker.take();
    const during = await site.world.ask('get_task', { task_id });
    await site.worker.finish(run, COMPLETED, []);
    const after = await site.world.ask('get_task', { task_id });
    site.world.time.now += 1_000;
    const { attempt_id } = await site.start();
    const again = await site.worker.take();
    await site.world.ask('update_task', { task_id, status: 'done' });

    await site.worker.finish(again, COMPLETED, []);

    expect(during).toMatchObject({ status: 'inprogress', has_in_progress_attempt: true });
    expect(after).toMatchObject({ status: 'inreview', last_attempt_failed: false });
    expect(await site.world.ask('get_task', { task_id })).toMatchObject({
      status: 'done',
      latest_attempt_id: attempt_id,
      last_attempt_failed: false,
    });
  });

  it('gives an agent that lost its session the earlier prompts and answers', async () => {
    await using site = await open();
    const { attempt_id } = await site.start({ prompt: 'Mind the tests.' });
    await site.worker.finish(await site.worker.take(), COMPLETED, []);
    await followUp(site.world, { attempt_id, action: 'send', prompt: 'And now?' });

    const { recap } = await site.worker.take();

    expect(recap).toContain('Mind the tests.');
    expect(recap).toContain('Outcome: (completed) Done.');
    expect(recap).not.toContain('And now?');
  });
});

describe('the right to run agents', () => {
  it('is checked again when a follow-up starts', async () => {
    await using site = await open();
    const bob = await site.world.addUser('Bob');
    await site.world.ask('admin_add_member', { project_id: site.project_id, user_id: bob, role: 'member' });
    const caller = await site.world.callerWith({ user_id: bob, scopes: ['board:read', 'board:run'] });
    const { attempt_id } = await site.start();
    const first = await site.worker.take();
    await site.world.ask('follow_up', { attempt_id, action: 'queue', prompt: 'of Bob' }, caller);
    await followUp(site.world, { attempt_id, action: 'queue', prompt: 'of the owner' });

    await site.world.ask('admin_block_user', { user_id: bob });
    await site.worker.finish(first, COMPLETED, []);

    expect((await site.worker.take()).entry.prompt).toBe('of the owner');
    expect(await site.world.store.reads.attempts.queued(first.attempt, first.session.id)).toEqual([]);
  });

  it('is checked again when a worker takes the run', async () => {
    await using site = await open();
    const { agent_id, token } = await site.world.ask('admin_create_agent', {
      name: 'robot',
      owner_id: site.world.owner.user_id,
      project_ids: [site.project_id],
      scopes: ['board:read', 'board:run'],
    });
    const robot = await site.world.gateway.authenticate(String(token));
    const { task_id, repo_id, project_id } = site;
    const start = { task_id, executor: 'scripted', repos: [{ repo_id }] };
    const { execution_id } = await site.world.ask('start_task_attempt', start, robot);

    await site.world.ask('admin_ungrant_agent', { agent_id, project_id });

    await expect(site.worker.take()).rejects.toThrow('no run waits');
    expect(await statusOf(site.world, execution_id)).toBe('killed');
  });
});

describe('a task', () => {
  it('is in review only when no other attempt runs', async () => {
    await using site = await open();
    const { task_id } = await site.start();
    await site.start();
    const [first, second] = [await site.worker.take(), await site.worker.take()];

    await site.worker.finish(first, COMPLETED, []);
    const between = await site.world.ask('get_task', { task_id });
    await site.worker.finish(second, COMPLETED, []);

    expect(between).toMatchObject({ status: 'inprogress' });
    expect(await site.world.ask('get_task', { task_id })).toMatchObject({ status: 'inreview' });
  });

  it('goes back when its only run was stopped before it began', async () => {
    await using site = await open();
    const { attempt_id, task_id } = await site.start();

    await site.world.ask('stop_attempt', { attempt_id });

    expect(await site.world.ask('get_task', { task_id })).toMatchObject({ status: 'todo', is_ready: true });
  });

  it('that is over stays so when a follow-up starts', async () => {
    await using site = await open();
    const { attempt_id, task_id } = await site.start();
    const first = await site.worker.take();
    await followUp(site.world, { attempt_id, action: 'queue', prompt: 'more' });
    await site.world.ask('update_task', { task_id, status: 'done' });

    await site.worker.finish(first, COMPLETED, []);

    expect((await site.worker.take()).entry.prompt).toBe('more');
    expect(await site.world.ask('get_task', { task_id })).toMatchObject({ status: 'done' });
  });
});

describe('the log of a run', () => {
  it('is written in order: steps by their key, the session to resume, the cost', async () => {
    await using site = await open();
    const { execution_id } = await site.start();
    const run = await site.worker.take();
    const step = { type: 'step', step_id: 'step-1' as never, name: 'Build', message: null, source: 'plan' } as const;

    await site.worker.log.write(run, [
      { ...step, status: 'running' },
      { type: 'feed', kind: 'message', text: 'Hello.' },
      { type: 'session', agent_session_id: 'mine' },
      { type: 'usage', usage: { input_tokens: 3 } },
      { ...step, name: 'Build all', status: 'completed' },
    ]);

    const { world } = site;
    expect(await world.ask('list_steps', { execution_id })).toMatchObject({
      steps: [{ step_name: 'Build all', status: 'completed', source: 'plan', seq: 1 }],
    });
    expect(await world.ask('get_execution', { execution_id })).toMatchObject({
      session_id: 'mine',
      usage: { input_tokens: 3 },
    });
    const { entries } = await world.ask('list_feed', { execution_id });
    expect(entries).toMatchObject([{ kind: 'status' }, { kind: 'message', text: 'Hello.' }]);
    expect((await world.store.reads.attempts.sessions(run.attempt)).at(0)?.agent_session_id).toBe('mine');
  });
});
