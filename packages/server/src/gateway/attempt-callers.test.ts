import { describe, expect, it } from 'vitest';
import { mayHear } from '#domain/audience';
import { aBoard, aWorker } from '#testing/attempts';
import { aRun } from '#testing/runs';
import { createTracker } from '#testing/tracker';
import { createWorld, type World } from '#testing/world';

/** Two attempts at one task, each with a running agent and its token. */
async function twoRuns(world: World) {
  const board = await aBoard(world);
  const worker = await aWorker(world);
  const begin = async () => {
    await board.start();
    const run = await worker.take();
    return { ...run, caller: await world.gateway.authenticate(run.secret) };
  };
  return { board, worker, own: await begin(), other: await begin() };
}

const namesFor = (world: World, caller: World['owner']): readonly string[] =>
  world.gateway.visible(caller, 'all').map(({ full_name }) => full_name);

describe('the token of a run', () => {
  it('holds what an agent needs to read and report, in its own project', async () => {
    await using world = await createWorld();
    const { own, board } = await twoRuns(world);

    expect(own.caller).toMatchObject({ kind: 'attempt', attempt_id: own.attempt.id, agent_id: null, acts_for: 'self' });
    expect([...own.caller.scopes]).toEqual(['board:read', 'execution:report']);
    expect([...(own.caller.reach as ReadonlyMap<string, unknown>).keys()]).toEqual([board.project_id]);
    expect(own.caller.principal_id).toBe(own.caller.token_id);
  });

  it('shows runs of its own attempt only: all others read as if they were not there', async () => {
    await using world = await createWorld();
    const { own, other } = await twoRuns(world);
    const outside = await aRun(world);
    const ask = (execution_id: string) => world.refuse('get_execution', { execution_id }, own.caller);
    const messageWithout = ({ message }: { readonly message: string }, id: string) => message.replace(id, 'ID');

    const listed = await world.ask('list_executions', {}, own.caller);
    const refused = [await ask(other.execution_id), await ask(outside), await ask('none')];
    const reported = await world.refuse(
      'create_step',
      { execution_id: other.execution_id, step_name: 'Look around' },
      own.caller,
    );

    expect(listed).toMatchObject({ executions: [{ id: own.execution_id }] });
    expect(refused.map(({ code }) => code)).toEqual(['not_found', 'not_found', 'not_found']);
    expect(messageWithout(refused[0] ?? { message: '' }, other.execution_id)).toBe(
      messageWithout(refused[2] ?? { message: '' }, 'none'),
    );
    expect(reported.code).toBe('not_found');
  });

  it('cannot start other runs', async () => {
    await using world = await createWorld();
    const { own } = await twoRuns(world);

    const refused = await world.refuse('create_execution', { name: 'Another' }, own.caller);

    expect(refused).toMatchObject({ code: 'insufficient_scope', hint: expect.stringContaining('NOVA_EXECUTION_ID') });
  });

  it('gets the events of its own attempt, and of nothing else in the project', async () => {
    await using world = await createWorld();
    const { own, other, worker } = await twoRuns(world);
    const question = { kind: 'permission', question: 'May I?', details: null, options: '[]' } as const;
    for (const run of [own, other]) await worker.log.ask(run, question);

    const events = await world.store.reads.events.page({ after: 0, limit: 500 });
    const heard = events.filter((event) => mayHear(own.caller, event));

    expect(new Set(heard.map(({ audience }) => audience.attempt_id))).toEqual(new Set([own.attempt.id]));
    expect(new Set(heard.map(({ kind }) => kind))).toEqual(
      new Set([
        'attempt.created',
        'attempt.updated',
        'execution.created',
        'execution.updated',
        'feed.added',
        'approval.created',
      ]),
    );
  });

  it('shows what waits for people, what was spent and what compares, of its own attempt only', async () => {
    await using world = await createWorld();
    const { own, other, worker, board } = await twoRuns(world);
    for (const run of [own, other]) {
      await worker.log.ask(run, {
        kind: 'permission',
        question: 'May I?',
        details: null,
        options: '[]',
      });
      await worker.log.write(run, [{ type: 'usage', usage: { cost_usd: 1, input_tokens: 10, output_tokens: 5 } }]);
    }
    const reports = ['task', 'agent', 'day', 'project'].map((by) => world.ask('report_costs', { by }, own.caller));

    const inbox = await world.ask('list_inbox', {}, own.caller);
    const named = await world.ask('list_inbox', { project_id: board.project_id }, own.caller);
    const compared = await world.ask('compare_attempts', { task_id: board.task_id }, own.caller);

    expect(inbox).toMatchObject({ rows: [{ attempt_id: own.attempt.id }], counts: { permission: 1 } });
    expect(named).toEqual(inbox);
    expect(compared.attempts).toMatchObject([{ attempt_id: own.attempt.id, cost_usd: 1 }]);
    for (const report of await Promise.all(reports)) {
      expect(report).toMatchObject({ rows: [{ cost_usd: 1, runs: 1 }], total: { cost_usd: 1, runs: 1 } });
    }
    expect(await world.ask('report_costs', {})).toMatchObject({ total: { cost_usd: 2, runs: 2 } });
  });

  it('is invalid after the run has ended', async () => {
    await using world = await createWorld();
    const { own, worker } = await twoRuns(world);

    await worker.finish(own, { status: 'completed', reason: null }, []);

    await expect(world.gateway.authenticate(own.secret)).rejects.toMatchObject({ code: 'unauthenticated' });
  });
});

describe('a tool that exists only in an attempt', () => {
  it('[B-TOOLS-2] is listed for the token of a run, and for no other', async () => {
    await using world = await createWorld();
    const { own } = await twoRuns(world);

    const refused = await world.refuse('get_context', {});

    expect(namesFor(world, own.caller)).toContain('get_context');
    expect(namesFor(world, world.owner)).not.toContain('get_context');
    expect(refused).toMatchObject({ code: 'insufficient_scope', hint: expect.any(String) });
    expect(await world.ask('get_context', {}, own.caller)).toMatchObject({ attempt_id: own.attempt.id });
  });

  it('[B-TOOLS-2] exists for a process that a run has started, with no fewer rights', async () => {
    await using world = await createWorld();
    const { own, other } = await twoRuns(world);
    const { gateway, owner } = world;

    const inside = await gateway.inRun(owner, own.execution_id);
    const recalled = await gateway.recall(gateway.passOf(inside));

    expect(namesFor(world, inside)).toEqual(expect.arrayContaining([...namesFor(world, owner), 'get_context']));
    for (const caller of [inside, recalled]) {
      expect(await world.ask('get_context', {}, caller)).toMatchObject({ attempt_id: own.attempt.id });
    }
    expect(await world.ask('get_execution', { execution_id: other.execution_id }, inside)).toBeDefined();
  });

  it('does not exist for a process of a run without an attempt, or of an invisible run', async () => {
    await using world = await createWorld();
    const { own } = await twoRuns(world);
    const { gateway, owner } = world;
    const stranger = await world.callerWith({ user_id: await world.addUser('Eve'), scopes: ['board:read'] });

    expect(await gateway.inRun(owner, await aRun(world))).toBe(owner);
    expect(await gateway.inRun(owner, 'none')).toBe(owner);
    expect(await gateway.inRun(stranger, own.execution_id)).toBe(stranger);
  });
});

describe('a run of an attempt', () => {
  it('has the status that its worker sets: no report changes it', async () => {
    await using world = await createWorld();
    const board = await aBoard(world);
    await aWorker(world);
    const { execution_id } = await board.start();

    await world.ask('create_step', { execution_id, step_name: 'Too early' });
    const refused = await world.refuse('update_execution', { execution_id, status: 'completed' });
    const updated = await world.ask('update_execution', { execution_id, summary: 'So far so good.' });

    expect(refused).toMatchObject({ code: 'conflict', hint: expect.stringContaining('stop_attempt') });
    expect(updated).toMatchObject({ status: 'queued', summary: 'So far so good.' });
  });

  it('accepts the session that its agent registers, to be resumed', async () => {
    await using world = await createWorld();
    const { own } = await twoRuns(world);
    const register = (session_id: string) =>
      world.ask('update_execution_session', { execution_id: own.execution_id, session_id }, own.caller);

    await register('agent-7');
    await register('agent-8');

    const [session] = await world.store.reads.attempts.sessions(own.attempt);
    expect(session).toMatchObject({ id: own.session.id, agent_session_id: 'agent-8' });
  });

  it('can be read with board:read of its project, and so can its events', async () => {
    await using world = await createWorld();
    const { own, board } = await twoRuns(world);
    const { agent, member } = createTracker(world);
    const owner_id = await member(String(board.project_id), 'Ann');
    const projects = [String(board.project_id)];
    const reader = await agent({ projects, owner_id, scopes: ['board:read', 'execution:report'] });
    const watcher = await agent({ projects, owner_id, scopes: ['board:read'] });

    const events = await world.store.reads.events.page({ after: 0, limit: 500 });

    expect(await world.ask('get_execution', { execution_id: own.execution_id }, reader)).toBeDefined();
    expect(events.some((event) => event.execution_id === own.execution_id && mayHear(watcher, event))).toBe(true);
  });
});
