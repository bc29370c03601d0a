import { describe, expect, it } from 'vitest';
import { BudgetsConfig } from '#domain/budget';
import { MAX_COST_USD, MAX_TOKENS } from '#domain/usage';
import { aBoard, anExecutor, aWorker } from '#testing/attempts';
import { createWorld } from '#testing/world';

const COMPLETED = { status: 'completed', reason: null, summary: 'Done.' } as const;

async function open(budgets: unknown = {}) {
  const world = await createWorld({ budgets: BudgetsConfig.parse(budgets) });
  const board = await aBoard(world);
  const worker = await aWorker(world, [anExecutor()]);
  const take = async () => {
    await board.start();
    const run = await worker.take();
    await worker.beginSpawn(run);
    return { ...run, agent: await world.gateway.authenticate(run.secret) };
  };
  const external = async (fields: Record<string, unknown> = {}) =>
    (await world.ask('create_execution', { project_id: board.project_id, ...fields })).execution_id as string;
  const costs = async () => (await world.ask('report_costs', { by: 'project' })).total;
  return { world, ...board, worker, take, external, costs, [Symbol.asyncDispose]: () => world.store.close() };
}

describe('a usage report', () => {
  it.each([
    { input_tokens: MAX_TOKENS + 1 },
    { output_tokens: Number.MAX_SAFE_INTEGER },
    { output_tokens: 2 ** 63 },
    { input_tokens: -1 },
    { input_tokens: 0.5 },
    { cost_usd: 1e300 },
    { cost_usd: MAX_COST_USD + 1 },
    { cost_usd: -0.01 },
    { cost_usd: Number.NaN },
    { cost_usd: Number.POSITIVE_INFINITY },
    { cost_usd: '5' },
    { model: 'x'.repeat(100_000) },
  ])('[L-BUDGET] of %o is refused, and changes nothing', async (usage) => {
    await using site = await open();
    const execution_id = await site.external();

    const refused = await site.world.refuse('update_execution', { execution_id, usage });

    expect(refused.code).toBe('validation_error');
    expect(await site.world.ask('get_execution', { execution_id })).toMatchObject({ usage: null });
    expect(await site.costs()).toMatchObject({ cost_usd: 0, tokens: 0, runs: 0 });
  });

  it('[L-BUDGET] of a person who has left the project, or is its guest, uses up none of its budget', async () => {
    await using site = await open({ projects: { Website: { cost_usd_per_day: 5 } } });
    const { world, project_id } = site;
    const user_id = await world.addUser('Ada');
    const scopes = ['board:read', 'issue:comment', 'execution:report'];
    const { token } = await world.ask('admin_create_token', { kind: 'user', name: 'Ada', user_id, scopes });
    const ada = () => world.gateway.authenticate(String(token));
    await world.ask('admin_add_member', { project_id, user_id });
    const { execution_id } = await world.ask('create_execution', { project_id }, await ada());
    const report = { execution_id, usage: { cost_usd: 900 } };

    await world.ask('admin_add_member', { project_id, user_id, role: 'guest' });
    const guest = await world.refuse('update_execution', report, await ada());
    const begun = await world.refuse('create_execution', { project_id }, await ada());
    await world.ask('admin_remove_member', { project_id, user_id });
    const gone = await world.refuse('update_execution', report, await ada());
    const ended = await world.ask('update_execution', { execution_id, status: 'completed' }, await ada());

    expect([guest.code, begun.code, gone.code]).toEqual(Array(3).fill('insufficient_scope'));
    expect(await site.costs()).toMatchObject({ cost_usd: 0 });
    expect(ended).toMatchObject({ status: 'completed', usage: null });
  });

  it('[L-BUDGET] from a program that prints absurd numbers is cut to what can be added up', async () => {
    await using site = await open({ run: { minutes: 100 } });
    const run = await site.take();
    const odd = { cost_usd: 1e300, input_tokens: 2 ** 60, output_tokens: Number.NaN } as const;

    await site.worker.log.write(run, [{ type: 'usage', usage: odd }]);
    await site.worker.log.write(run, [{ type: 'usage', usage: { cost_usd: -5, output_tokens: 1.5 } }]);

    const kept = { cost_usd: MAX_COST_USD, input_tokens: MAX_TOKENS, output_tokens: 2 };
    expect(await site.world.ask('get_execution', { execution_id: run.execution_id })).toMatchObject({ usage: kept });
    expect(await site.costs()).toMatchObject({ cost_usd: MAX_COST_USD, tokens: MAX_TOKENS + 2 });
  });

  it('[L-BUDGET] that older releases have kept does not stop the heartbeats of its worker', async () => {
    await using site = await open({ run: { minutes: 100 } });
    const run = await site.take();
    await site.world.store.transaction((tx) =>
      tx.runs.update({ ...run.entry.run, usage: JSON.stringify({ cost_usd: 1e300, input_tokens: 2 ** 53 }) }),
    );
    site.world.time.now += 1_000;

    const lost = await site.worker.beat(
      {
        ...{ id: 'worker-1', host_id: 'host-1', host_name: 'host', boot_id: 'boot-1', pid: 1, pid_started: '1' },
        ...{ executors: '[]', max_runs: 1, lease_ms: 30_000 },
      },
      [run],
    );

    expect(lost).toEqual([]);
    expect(await site.world.ask('get_execution', { execution_id: run.execution_id })).toMatchObject({
      usage: { cost_usd: MAX_COST_USD, input_tokens: MAX_TOKENS },
    });
  });

  it('[L-BUDGET] never lowers a total, and leaves the totals that it does not name', async () => {
    await using site = await open();
    const run = await site.take();
    const report = (usage: object) =>
      site.world.ask('update_execution', { execution_id: run.execution_id, usage }, run.agent);

    await report({ input_tokens: 100, cost_usd: 0.5 });
    await report({ output_tokens: 50 });
    await site.worker.log.write(run, [{ type: 'usage', usage: { cost_usd: 0.75 } }]);
    const after = await report({ input_tokens: 1, output_tokens: 0, cost_usd: 0 });

    expect(after.usage).toEqual({ input_tokens: 100, output_tokens: 50, cost_usd: 0.75 });
    expect(await site.costs()).toMatchObject({ cost_usd: 0.75, tokens: 150, runs: 1 });
  });

  it('[L-BUDGET] that says nothing new writes nothing, however often it comes', async () => {
    await using site = await open();
    const run = await site.take();
    const report = () =>
      site.world.ask('update_execution', { execution_id: run.execution_id, usage: { cost_usd: 0.5 } }, run.agent);
    await report();
    const last = () => site.world.store.reads.events.head();
    const before = await last();

    for (let time = 0; time < 100; time++) await report();

    expect(await last()).toBe(before);
  });

  it('[L-BUDGET] from elsewhere is answered with a warning, once', async () => {
    await using site = await open({ run: { cost_usd: 1 } });
    const execution_id = await site.external();
    const warnings: unknown[] = [];

    for (const cost_usd of [0.5, 0.8, 0.85, 0.9]) {
      warnings.push((await site.world.ask('update_execution', { execution_id, usage: { cost_usd } })).warning);
    }

    const warning = '80 % of the budget is used (0.8 of 1 USD a run): come to an end.';
    expect(warnings).toEqual([undefined, warning, undefined, undefined]);
  });

  it('[L-BUDGET] counts after the end of its run too, without the time since then', async () => {
    await using site = await open();
    const run = await site.take();
    site.world.time.now += 60_000;
    await site.worker.finish(run, COMPLETED, []);
    site.world.time.now += 3_600_000;

    await site.world.ask('update_execution', { execution_id: run.execution_id, usage: { cost_usd: 2 } });

    expect(await site.costs()).toMatchObject({ cost_usd: 2, minutes: 1 });
  });

  it('[L-BUDGET] of an agent that was told to stop for its budget is refused', async () => {
    await using site = await open({ run: { cost_usd: 1 } });
    const run = await site.take();
    const usage = (cost_usd: number) => ({ execution_id: run.execution_id, usage: { cost_usd } });
    await site.world.ask('update_execution', usage(1.5), run.agent);

    const refused = await site.world.refuse('update_execution', usage(2), run.agent);

    expect(refused.code).toBe('budget_exceeded');
    expect(await site.costs()).toMatchObject({ cost_usd: 1.5 });
  });

  it('[L-BUDGET] about a run that still waits ends it with the budget as its reason', async () => {
    await using site = await open({ run: { cost_usd: 1 } });
    const { execution_id } = await site.start();

    const ended = await site.world.ask('update_execution', { execution_id, usage: { cost_usd: 1.5 } });

    expect(ended).toMatchObject({ status: 'failed', reason: 'budget_exceeded: 1.5 of 1 USD a run' });
  });
});

describe('the budget of another', () => {
  it('[L-BUDGET] is not spent by the agent of an earlier run of the same attempt', async () => {
    await using site = await open({ agents: { Robin: { cost_usd_per_day: 1 } } });
    const first = await site.take();
    const { user_id } = await site.world.ask('admin_add_user', { name: 'Ann' });
    const { token } = await site.world.ask('admin_create_agent', {
      ...{ name: 'Robin', owner_id: user_id, project_ids: [site.project_id] },
      scopes: ['board:read', 'board:write', 'board:run'],
    });
    const robin = await site.world.gateway.authenticate(token as string);
    const next = { attempt_id: first.attempt.id, action: 'queue', prompt: 'Go on.' };
    await site.world.ask('follow_up', next, robin);
    await site.worker.finish(first, COMPLETED, []);
    const second = await site.worker.take();
    const report = { execution_id: second.execution_id, usage: { cost_usd: 5 } };

    const refused = await site.world.refuse('update_execution', report, {
      ...first.agent,
      ...{ fault: null },
    });

    expect(second.entry.run.agent_id).not.toBeNull();
    expect(refused.code).toBe('insufficient_scope');
    expect(await site.costs()).toMatchObject({ cost_usd: 0 });
    const own = await site.world.gateway.authenticate(second.secret);
    expect(await site.world.ask('update_execution', report, own)).toMatchObject({ usage: { cost_usd: 5 } });
  });

  it('[L-BUDGET] is not spent by a reporter in the project, who may say all else about a run of a person', async () => {
    await using site = await open({ projects: { Shop: { cost_usd_per_day: 1 } } });
    const execution_id = await site.external();
    const { user_id } = await site.world.ask('admin_add_user', { name: 'Ann' });
    const { token } = await site.world.ask('admin_create_agent', {
      ...{ name: 'Robin', owner_id: user_id, project_ids: [site.project_id] },
      scopes: ['issue:read', 'issue:comment', 'execution:report'],
    });
    const robin = await site.world.gateway.authenticate(token as string);

    const refused = await site.world.refuse('update_execution', { execution_id, usage: { cost_usd: 5 } }, robin);
    const said = await site.world.ask('update_execution', { execution_id, summary: 'Half done.' }, robin);

    expect(refused.code).toBe('insufficient_scope');
    expect(said).toMatchObject({ summary: 'Half done.', usage: null });
  });
});
