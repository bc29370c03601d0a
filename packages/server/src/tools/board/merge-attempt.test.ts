import { describe, expect, it } from 'vitest';
import type { AttemptId } from '#domain/ids';
import type { Scope } from '#domain/scope';
import { JobLost } from '#services/ship/held-job';
import { createBoardOf } from '#testing/board';
import { aShippable } from '#testing/git-jobs';
import { createTracker } from '#testing/tracker';
import { createWorld, type World } from '#testing/world';

const SCOPES: readonly Scope[] = ['board:read', 'board:write', 'board:run'];

const jobsOf = (world: World, id: AttemptId) =>
  world.store.reads.gitJobs.ofAttempt({ id, workspace_id: world.owner.workspace_id }, 20);

const actions = async (world: World) =>
  (await world.store.reads.audit.page(0, 1_000)).map(({ action, outcome }) => `${action} ${outcome}`);

describe('[L-SHIP] who may merge', () => {
  it.each([
    ['without board:merge', { scopes: SCOPES, can_complete: true }, 'insufficient_scope'],
    ['without can_complete', { scopes: [...SCOPES, 'board:merge'] }, 'move_not_granted'],
  ] as const)('[L-SHIP] refuses an agent %s, changes nothing and audits it', async (_, rights, code) => {
    await using world = await createWorld();
    const ship = await aShippable(world);
    const attempt_id = await ship.attempt();
    const robot = await createTracker(world).agent({ projects: [ship.project_id], ...rights });

    expect(await world.refuse('merge_attempt', { attempt_id }, robot)).toMatchObject({ code });

    expect(await jobsOf(world, attempt_id)).toEqual([]);
    expect(await actions(world)).toContain('merge_attempt denied');
  });

  it.each(['merge_attempt', 'rebase_attempt'])(
    '[L-SHIP] has %s start no agent to resolve conflicts without board:run',
    async (tool) => {
      await using world = await createWorld();
      const ship = await aShippable(world);
      const attempt_id = await ship.attempt();
      const scopes: readonly Scope[] = ['board:read', 'board:write', 'board:merge'];
      const robot = await createTracker(world).agent({ projects: [ship.project_id], scopes, can_complete: true });

      const refused = await world.refuse(tool, { attempt_id, resolve: true }, robot);

      expect(refused).toMatchObject({ code: 'insufficient_scope', message: expect.stringContaining('board:run') });
      expect(await jobsOf(world, attempt_id)).toEqual([]);
    },
  );

  it('[L-SHIP] refuses the agent that works in the attempt, whatever its project grants', async () => {
    await using world = await createWorld();
    const ship = await aShippable(world);
    const attempt = await createBoardOf(world, ship.project_id).attempt(ship.task_id as string, {
      sessions: ['scripted'],
    });
    const within = await createBoardOf(world, ship.project_id).within(attempt);

    expect(await world.refuse('merge_attempt', { attempt_id: attempt.id }, within)).toMatchObject({
      code: 'insufficient_scope',
    });
  });

  it.each([
    ['red', 'completion_blocked'],
    [null, 'completion_blocked'],
    ['green', null],
  ] as const)(
    '[L-SHIP] lets an agent merge only green work where the project wants that: %s',
    async (verdict, code) => {
      await using world = await createWorld();
      const ship = await aShippable(world);
      const attempt_id = await ship.attempt();
      await ship.setProject({ require_green: true });
      await world.store.transaction(async (tx) => {
        const attempt = await tx.attempts.find(
          { workspace_id: world.owner.workspace_id, project_ids: 'all' },
          attempt_id,
        );
        if (attempt !== null) await tx.attempts.update({ ...attempt, verdict });
      });
      const scopes = [...SCOPES, 'board:merge'] as const;
      const robot = await createTracker(world).agent({ projects: [ship.project_id], scopes, can_complete: true });

      const asked = world.call('merge_attempt', { attempt_id }, robot);
      if (code === null) await ship.merged(await ship.take());

      expect(await asked).toMatchObject(code === null ? { ok: true } : { error: { code } });
      if (code === null) return;
      const byPerson = world.ask('merge_attempt', { attempt_id });
      await ship.merged(await ship.take());
      expect(await byPerson).toMatchObject({ status: 'merged', verdict });
    },
  );

  it('[L-SHIP] asks for green checks of the attempt that is merged, not of a later one', async () => {
    await using world = await createWorld();
    const ship = await aShippable(world);
    const attempt_id = await ship.attempt();
    world.time.now += 1_000;
    const later = await ship.attempt();
    await ship.setProject({ require_green: true });
    await world.store.transaction(async (tx) => {
      const attempt = await tx.attempts.find({ workspace_id: world.owner.workspace_id, project_ids: 'all' }, later);
      if (attempt !== null) await tx.attempts.update({ ...attempt, verdict: 'green' });
    });
    const scopes = [...SCOPES, 'board:merge'] as const;
    const robot = await createTracker(world).agent({ projects: [ship.project_id], scopes, can_complete: true });

    expect(await world.refuse('merge_attempt', { attempt_id }, robot)).toMatchObject({ code: 'completion_blocked' });
  });

  it('[L-SHIP] starts no agent to resolve conflicts for a token without board:run', async () => {
    await using world = await createWorld();
    const ship = await aShippable(world);
    const attempt_id = await ship.attempt();
    const scopes = ['board:read', 'board:merge'];
    const { token } = await world.ask('admin_create_token', { kind: 'user', name: 'merger', scopes });
    // As the tool declares it.
    const merger = await world.gateway.authenticate(token as string);

    for (const tool of ['merge_attempt', 'rebase_attempt']) {
      const refused = await world.refuse(tool, { attempt_id, resolve: true }, merger);
      expect(refused.code).toBe('insufficient_scope');
    }
  });

  it('[L-SHIP] does not carry out a merge whose asker lost the right while it waited', async () => {
    await using world = await createWorld();
    const ship = await aShippable(world);
    const attempt_id = await ship.attempt();
    const scopes = [...SCOPES, 'board:merge'] as const;
    const robot = await createTracker(world).agent({ projects: [ship.project_id], scopes, can_complete: true });
    const asked = world.ask('merge_attempt', { attempt_id }, robot);
    await expect.poll(async () => (await jobsOf(world, attempt_id)).length).toBe(1);
    await world.ask('admin_ungrant_agent', { agent_id: robot.agent_id, project_id: ship.project_id });

    expect(await ship.jobs.take({ worker_id: 'w', host_id: 'host-1', lease_ms: 1, limit: 1 })).toEqual([]);

    expect(await asked).toMatchObject({ status: 'refused', code: 'not_allowed' });
    expect(await world.ask('get_attempt', { attempt_id })).toMatchObject({ state: 'review' });
  });
});

describe('[L-SHIP] when a merge can begin', () => {
  it('[L-SHIP] not while a run goes on, nor without a worker on the machine, nor before anything was done', async () => {
    await using world = await createWorld();
    const ship = await aShippable(world);
    const attempt_id = await ship.attempt();
    await world.ask('follow_up', { attempt_id, action: 'send', prompt: 'More.' });

    expect(await world.refuse('merge_attempt', { attempt_id })).toMatchObject({ code: 'run_in_progress' });
    await world.ask('stop_attempt', { attempt_id });
    world.time.now += 2 * ship.LEASE_MS;
    expect(await world.refuse('merge_attempt', { attempt_id })).toMatchObject({ code: 'no_worker', retryable: true });
    const bare = await createBoardOf(world, ship.project_id).attempt(ship.task_id as string, {
      repo_ids: [ship.repo_id],
    });
    expect(await world.ask('merge_attempt', { attempt_id: bare.id })).toMatchObject({
      status: 'refused',
      code: 'nothing',
    });
    expect(await jobsOf(world, attempt_id)).toEqual([]);
    expect(await actions(world)).not.toContain('merge_attempt ok');
  });

  it('[L-SHIP] not while another job of the attempt is under way; the same call waits for that one', async () => {
    await using world = await createWorld();
    const ship = await aShippable(world);
    const attempt_id = await ship.attempt();
    const first = world.ask('merge_attempt', { attempt_id, mode: 'squash' });
    const claimed = await ship.take();

    expect(await world.refuse('merge_attempt', { attempt_id, mode: 'merge' })).toMatchObject({
      code: 'merge_in_progress',
    });
    const second = world.ask('merge_attempt', { attempt_id, mode: 'squash' });
    await expect.poll(world.waiting).toBeGreaterThanOrEqual(2);
    await ship.merged(claimed);

    expect(await second).toEqual(await first);
    expect(await jobsOf(world, attempt_id)).toHaveLength(1);
  });

  it('[L-SHIP] finds its job again by its idempotency key, when the first call was cut off', async () => {
    await using world = await createWorld();
    const ship = await aShippable(world);
    const attempt_id = await ship.attempt();
    const tool = world.gateway.find('merge_attempt', 'all');
    if (tool === undefined) throw new Error('no tool');
    const caller = new AbortController();
    const input = { attempt_id, idempotency_key: 'once' };
    const cut = world.gateway.dispatch({ caller: world.owner, tool, input, transport: 'rest', signal: caller.signal });
    const claimed = await ship.take();
    caller.abort();
    expect(await cut).toMatchObject({ ok: false, error: { code: 'merge_in_progress' } });
    await ship.jobs.finish(claimed.job, { status: 'refused', result: { code: 'not_clean', reason: 'Commit first.' } });

    const again = await world.ask('merge_attempt', input);

    expect(again).toEqual({ status: 'refused', code: 'not_clean', reason: 'Commit first.', verdict: null });
    expect(await jobsOf(world, attempt_id)).toHaveLength(1);
  });

  it('[L-SHIP] goes on with the same key on another server, when the first one was killed while it waited', async () => {
    await using world = await createWorld();
    const ship = await aShippable(world);
    const attempt_id = await ship.attempt();
    const tool = world.gateway.find('merge_attempt', 'all');
    if (tool === undefined) throw new Error('no tool');
    const input = { attempt_id, idempotency_key: 'once' };
    const call = { caller: world.owner, tool, input, transport: 'rest' } as const;
    const first = world.gateway.dispatch(call);
    const claimed = await ship.take();
    const second = world.openGateway().dispatch(call);
    await expect.poll(world.waiting).toBeGreaterThanOrEqual(2);
    await ship.merged(claimed);

    expect(await second).toMatchObject({ ok: true });
    expect(await second).toEqual(await first);
    expect(await world.gateway.dispatch(call)).toEqual(await first);
    expect(await world.refuse('merge_attempt', { ...input, mode: 'merge' })).toMatchObject({
      code: 'idempotency_key_conflict',
    });
    expect(await jobsOf(world, attempt_id)).toHaveLength(1);
  });

  it('[L-SHIP] not of an archived attempt', async () => {
    await using world = await createWorld();
    const ship = await aShippable(world);
    const [one, other] = [await ship.attempt(), await ship.attempt()];
    const asked = world.ask('merge_attempt', { attempt_id: other });
    await ship.merged(await ship.take());
    await asked;

    expect(await world.refuse('merge_attempt', { attempt_id: one })).toMatchObject({ code: 'conflict' });
  });
});

describe('[L-SHIP] what follows from a merge', () => {
  it('[L-SHIP] takes back what waits for the agents, completes the task, and is audited', async () => {
    await using world = await createWorld();
    const ship = await aShippable(world);
    const attempt_id = await ship.attempt();
    const other = await ship.attempt();
    const { execution_id } = await world.ask('follow_up', { attempt_id: other, action: 'send', prompt: 'On.' });
    const asked = world.ask('merge_attempt', { attempt_id });
    await ship.merged(await ship.take());

    expect(await asked).toEqual({
      status: 'merged',
      commits: [{ repo_id: ship.repo_id, commit: 'cccc' }],
      verdict: null,
    });
    expect(await world.ask('get_attempt', { attempt_id })).toMatchObject({
      state: 'merged',
      task: { status: 'done' },
      folders: 'removal_requested',
    });
    expect(await world.ask('get_attempt', { attempt_id: other })).toMatchObject({ state: 'archived' });
    expect(await world.ask('get_execution', { execution_id })).toMatchObject({ status: 'killed' });
    expect(await actions(world)).toEqual(expect.arrayContaining(['merge_attempt ok', 'merge_attempt.done ok']));
    const feed = JSON.stringify((await world.ask('tail_attempt', { attempt_id })).entries);
    expect(feed).toContain('Merged into main of shop: cccc.');
    expect(await world.refuse('follow_up', { attempt_id, action: 'send', prompt: 'More?' })).toMatchObject({
      code: 'conflict',
    });
  });

  it('[L-SHIP] ends a run that began while the merge was carried out', async () => {
    await using world = await createWorld();
    const ship = await aShippable(world);
    const attempt_id = await ship.attempt();
    const asked = world.ask('merge_attempt', { attempt_id });
    const claimed = await ship.take();
    const { execution_id } = await world.ask('follow_up', { attempt_id, action: 'send', prompt: 'More.' });
    await ship.merged(claimed);
    await asked;

    expect(await world.ask('get_execution', { execution_id })).toMatchObject({ status: 'killed' });
    expect(await world.ask('get_attempt', { attempt_id })).toMatchObject({ state: 'merged', task: { status: 'done' } });
  });

  it('[L-SHIP] tells a failure as an error, and a later call tries again', async () => {
    await using world = await createWorld();
    const ship = await aShippable(world);
    const attempt_id = await ship.attempt();
    const asked = world.refuse('merge_attempt', { attempt_id });
    const { job } = await ship.take();
    await ship.jobs.finish(job, { status: 'failed', result: { code: 'git', reason: 'The disk is full.' } });

    expect(await asked).toMatchObject({ code: 'conflict', message: expect.stringContaining('The disk is full.') });
    const again = world.ask('merge_attempt', { attempt_id });
    await ship.merged(await ship.take());
    expect(await again).toMatchObject({ status: 'merged' });
  });
});

describe('[L-SHIP] a worker that is lost', () => {
  it('[L-SHIP] loses its job to the queue when no branch has moved, and can no longer change the job', async () => {
    await using world = await createWorld();
    const ship = await aShippable(world);
    const attempt_id = await ship.attempt();
    const asked = world.ask('merge_attempt', { attempt_id });
    const first = await ship.take();
    world.time.now += 2 * ship.LEASE_MS;
    const [lost] = await ship.jobs.lost([]);
    if (lost === undefined) throw new Error('nothing is lost');
    await ship.jobs.requeue(lost, []);
    const second = await ship.take('worker-2');

    await expect(ship.jobs.commit(first.job, '[]')).rejects.toThrow(JobLost);
    await expect(ship.merged(first)).rejects.toThrow(JobLost);
    expect(await ship.jobs.isHeld(first.job)).toBe(false);
    await ship.merged(second);
    expect(await asked).toMatchObject({ status: 'merged' });
  });

  it('[L-SHIP] hands a job whose branches may have moved over with its plan, to one worker', async () => {
    await using world = await createWorld();
    const ship = await aShippable(world);
    const attempt_id = await ship.attempt();
    const asked = world.ask('merge_attempt', { attempt_id });
    const first = await ship.take();
    await ship.jobs.commit(first.job, '{"moves":[]}');
    world.time.now += 2 * ship.LEASE_MS;
    const [lost] = await ship.jobs.lost([]);
    if (lost === undefined) throw new Error('nothing is lost');
    const by = { worker_id: 'worker-2', host_id: 'host-1', lease_ms: ship.LEASE_MS };
    await ship.jobs.requeue(lost, []);
    const second = await ship.jobs.takeOver(lost, [], by);

    expect(second?.job).toMatchObject({ plan: '{"moves":[]}', phase: 'committing', worker_id: 'worker-2' });
    expect(await ship.jobs.takeOver(lost, [], by)).toBeNull();
    await expect(ship.merged(first)).rejects.toThrow(JobLost);
    if (second !== null) await ship.merged(second);
    expect(await asked).toMatchObject({ status: 'merged' });
  });

  it('[L-SHIP] lets stop_attempt end a job that waits, and one whose machine is gone, but none that goes on', async () => {
    await using world = await createWorld();
    const ship = await aShippable(world);
    const attempt_id = await ship.attempt();
    const waiting = world.refuse('merge_attempt', { attempt_id });
    await expect.poll(async () => (await jobsOf(world, attempt_id)).length).toBe(1);
    await world.ask('stop_attempt', { attempt_id });
    expect(await waiting).toMatchObject({ code: 'conflict', details: { code: 'stopped' } });

    const running = world.refuse('merge_attempt', { attempt_id });
    const { job } = await ship.take();
    await ship.jobs.commit(job, '{"moves":[]}');
    await world.ask('stop_attempt', { attempt_id });
    expect(await ship.jobs.isHeld(job)).toBe(true);
    world.time.now += 2 * ship.LEASE_MS;
    await world.ask('stop_attempt', { attempt_id });

    expect(await running).toMatchObject({ code: 'conflict', details: { code: 'host_gone' } });
  });
});
