import { describe, expect, it } from 'vitest';
import { readClientFacts } from '#domain/client-facts';
import { markSilent } from '#services/runs/silence';
import { aRun, aStep, kindsOf, stepsOf } from '#testing/runs';
import { createWorld, type World } from '#testing/world';

const report = { kind: 'user', scopes: ['execution:report'] } as const;

describe('a work session', () => {
  it('ends like every other run: alive, with its steps, and with an event', async () => {
    await using world = await createWorld();
    const project_id = world.installation.inbox_id;
    const start = { project_id, idempotency_key: 'a' };
    const { work_session } = await world.ask('tasker_start_work_session', start);
    const { id: execution_id } = work_session as { id: string };
    await aStep(world, execution_id);
    world.time.now += 11 * 60_000;
    await world.store.transaction(markSilent);

    const end = { work_session_id: execution_id, summary: 'All good', idempotency_key: 'b' };
    await world.ask('tasker_finish_work_session', end);

    expect(await world.ask('get_execution', { execution_id })).toMatchObject({
      status: 'completed',
      liveness: null,
      summary: 'All good',
      seen_at: '2026-01-01T00:11:00.000Z',
      ended_at: '2026-01-01T00:11:00.000Z',
    });
    expect(await stepsOf(world, execution_id)).toMatchObject([{ status: 'completed' }]);
    expect((await world.ask('list_feed', { execution_id })).entries).toMatchObject([
      { kind: 'status', text: 'completed' },
    ]);
    expect(await kindsOf(world)).toEqual([
      'execution.created',
      'step.created',
      'execution.stalled',
      'execution.updated',
      'step.updated',
      'feed.added',
    ]);
  });
});

describe('the time of the last report', () => {
  it('is written at most once a second, and sends an event only when the run was marked silent', async () => {
    await using world = await createWorld();
    const execution_id = await aRun(world);

    world.time.now += 500;
    await aStep(world, execution_id);
    const soon = await world.ask('get_execution', { execution_id });
    world.time.now += 500;
    await aStep(world, execution_id);
    const later = await world.ask('get_execution', { execution_id });

    expect(soon.seen_at).toBe('2026-01-01T00:00:00.000Z');
    expect(later.seen_at).toBe('2026-01-01T00:00:01.000Z');
    expect(await kindsOf(world)).toEqual(['execution.created', 'step.created', 'step.created']);
  });

  it('is updated by an update of a step that changes nothing', async () => {
    await using world = await createWorld();
    const execution_id = await aRun(world);
    const step_id = await aStep(world, execution_id, { message: 'begun' });
    const before = await stepsOf(world, execution_id);
    world.time.now += 30_000;

    for (const same of [{ status: 'running' }, { message: 'begun' }, { status: 'running', message: 'begun' }]) {
      await world.ask('update_step', { execution_id, step_id, ...same });
    }

    expect(await world.ask('get_execution', { execution_id })).toMatchObject({ seen_at: '2026-01-01T00:00:30.000Z' });
    expect(await stepsOf(world, execution_id)).toEqual(before);
    expect(await kindsOf(world)).toEqual(['execution.created', 'step.created']);
  });

  it('never goes backwards with the clock', async () => {
    await using world = await createWorld();
    const execution_id = await aRun(world);

    world.time.now -= 3_600_000;
    const after = await world.ask('update_execution', { execution_id, session_id: 's' });

    // Time goes on from where it was while the clock is behind.
    expect(Date.parse(String(after.seen_at))).toBeGreaterThanOrEqual(Date.parse('2026-01-01T00:00:00.000Z'));
  });
});

describe('a client hint', () => {
  const tell = async (world: World, name: string, input: object, client_facts: object) => {
    const tool = world.gateway.find(name, 'all');
    if (tool === undefined) throw new Error(name);
    return world.gateway.dispatch({ caller: world.owner, tool, input, transport: 'rest', client_facts });
  };

  it('fills missing fields, and never replaces a value', async () => {
    await using world = await createWorld();
    const execution_id = await aRun(world);
    const step = { execution_id, step_name: 'X' };

    await tell(world, 'create_step', step, { session_id: 'native', client: 'codex 1', folder: '/w', branch: 'b' });
    await tell(world, 'create_step', step, { session_id: 'other', client: 'other', folder: '/o', branch: 'o' });

    expect(await world.ask('get_execution', { execution_id })).toMatchObject({
      session_id: 'native',
      client: 'codex 1',
      worktree_path: '/w',
      branch: 'b',
    });
    expect(await kindsOf(world)).toEqual(['execution.created', 'execution.updated', 'step.created', 'step.created']);
  });

  it.each(['session_id', 'client', 'folder', 'branch'])('sends an event when the %s becomes known', async (field) => {
    await using world = await createWorld();
    const execution_id = await aRun(world);

    await tell(world, 'create_step', { execution_id, step_name: 'X' }, { [field]: 'something' });

    expect(await kindsOf(world)).toContain('execution.updated');
  });

  it('gives way to a field that is given explicitly', async () => {
    await using world = await createWorld();
    const execution_id = await aRun(world);

    await tell(world, 'update_execution_session', { execution_id, session_id: 'said' }, { session_id: 'native' });

    expect(await world.ask('get_execution', { execution_id })).toMatchObject({ session_id: 'said' });
  });

  it('is ignored when it is invisible', async () => {
    await using world = await createWorld();
    const execution_id = await aRun(world);
    const step = { execution_id, step_name: 'X' };

    await tell(world, 'create_step', step, readClientFacts({ session_id: '\u200b', client: ' \u202e ' }));
    await tell(world, 'create_step', step, readClientFacts({ session_id: 'na\u200btive', client: ' codex ' }));

    expect(await world.ask('get_execution', { execution_id })).toMatchObject({ session_id: 'native', client: 'codex' });
  });

  it('marks the steps of scripts', async () => {
    await using world = await createWorld();
    const execution_id = await aRun(world);

    await tell(world, 'create_step', { execution_id, step_name: 'X' }, { source: 'script' });

    expect(await stepsOf(world, execution_id)).toMatchObject([{ source: 'script' }]);
  });
});

describe('a reporter', () => {
  it('needs the scope, and is refused with its name', async () => {
    await using world = await createWorld();
    const caller = await world.callerWith({ kind: 'user', scopes: ['todo:read'] });

    const refused = await world.refuse('create_step', { execution_id: 'x', step_name: 'X' }, caller);

    expect(refused).toMatchObject({ code: 'insufficient_scope', details: { required_scope: 'execution:report' } });
  });

  it('sees nothing of the runs of others: they read like unknown ones, and the attempt is audited', async () => {
    await using world = await createWorld();
    const execution_id = await aRun(world);
    const step_id = await aStep(world, execution_id);
    const stranger = await world.callerWith({ ...report, user_id: await world.addUser('Bob') });
    const calls = [
      ['get_execution', {}],
      ['update_execution', { status: 'failed' }],
      ['update_execution_session', { session_id: 's' }],
      ['list_steps', {}],
      ['create_step', { step_name: 'X' }],
      ['update_step', { step_id, status: 'failed' }],
      ['add_feed_entry', { kind: 'message', text: 'X' }],
      ['list_feed', {}],
    ] as const;

    for (const [name, input] of calls) {
      const foreign = await world.refuse(name, { execution_id, ...input }, stranger);
      const unknown = await world.refuse(name, { execution_id: 'f'.repeat(36), ...input }, stranger);

      expect(foreign.code).toBe('not_found');
      expect(foreign.message.replace(execution_id, 'ID')).toBe(unknown.message.replace('f'.repeat(36), 'ID'));
    }
    expect((await world.ask('list_executions', {}, stranger)).executions).toEqual([]);
    expect(await world.ask('get_execution', { execution_id })).toMatchObject({ status: 'running', session_id: null });
    expect(await stepsOf(world, execution_id)).toHaveLength(1);
    const { entries } = await world.ask('admin_list_audit', { outcome: 'denied', entity_id: execution_id });
    expect(entries).not.toEqual([]);
  });

  it('gets no repeated answer when the run is out of reach', async () => {
    await using world = await createWorld();
    const { project_id } = await world.ask('admin_add_project', { name: 'Shop' });
    const scopes = ['execution:report', 'issue:read', 'issue:comment'];
    const grant = { name: 'worker', owner_id: world.owner.user_id, project_ids: [project_id], scopes };
    const { agent_id, token } = await world.ask('admin_create_agent', grant);
    const worker = () => world.gateway.authenticate(token as string);
    const execution_id = await aRun(world, { project_id });
    const step = { execution_id, step_name: 'Build', idempotency_key: 'k' };
    const made = await world.ask('create_step', step, await worker());
    const { step_id } = made;
    const calls = [
      ['create_step', step],
      ['update_step', { execution_id, step_id, status: 'completed', idempotency_key: 'k2' }],
      ['update_execution', { execution_id, session_id: 's', idempotency_key: 'k3' }],
      ['update_execution_session', { execution_id, session_id: 's', idempotency_key: 'k4' }],
      ['add_feed_entry', { execution_id, kind: 'message', text: 'Hi', idempotency_key: 'k5' }],
    ] as const;
    for (const [name, input] of calls) await world.ask(name, input, await worker());
    expect(await world.ask('create_step', step, await worker())).toEqual(made);

    await world.ask('admin_ungrant_agent', { agent_id, project_id });

    for (const [name, input] of calls) {
      expect((await world.refuse(name, input, await worker())).code).toBe('not_found');
    }
  });

  it('gets a repeated answer about a run of a work item only where its project is still granted', async () => {
    await using world = await createWorld();
    const project_id = world.installation.inbox_id;
    const grant = {
      name: 'worker',
      owner_id: world.owner.user_id,
      project_ids: [project_id],
      scopes: ['execution:report'],
    };
    const { agent_id, token } = await world.ask('admin_create_agent', grant);
    const worker = () => world.gateway.authenticate(token as string);
    const { task_id } = await world.ask('todo_add_task', { user_id: 'me', title: 'Milk' });
    const create = { work_item_id: task_id, idempotency_key: 'k' };
    const made = await world.ask('create_execution', create, await worker());
    expect(await world.ask('create_execution', create, await worker())).toEqual(made);

    await world.ask('admin_ungrant_agent', { agent_id, project_id });

    expect((await world.refuse('create_execution', create, await worker())).code).toBe('project_not_granted');
  });
});
