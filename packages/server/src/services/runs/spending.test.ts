import { describe, expect, it } from 'vitest';
import { BudgetsConfig } from '#domain/budget';
import { aBoard, anExecutor, aWorker } from '#testing/attempts';
import { createWorld } from '#testing/world';
import { times } from '../../../../../test/e2e/counts.ts';
import type { ClaimedRun } from './queue.ts';

const COMPLETED = { status: 'completed', reason: null, summary: 'Done.' } as const;

async function open(budgets: unknown) {
  const world = await createWorld({ budgets: BudgetsConfig.parse(budgets) });
  const board = await aBoard(world);
  const worker = await aWorker(world);
  const report = (run: ClaimedRun, usage: Record<string, number>) => worker.log.write(run, [{ type: 'usage', usage }]);
  const toStop = async () => (await worker.toStop('worker-1')).map(({ execution_id, why }) => [execution_id, why]);
  const beat = (holds: readonly ClaimedRun[] = []) =>
    worker.beat(
      {
        id: 'worker-1',
        host_id: 'host-1',
        host_name: 'host',
        boot_id: 'boot-1',
        pid: 1,
        pid_started: '1',
        executors: JSON.stringify([anExecutor()]),
        max_runs: 1,
        lease_ms: 300_000,
      },
      holds,
    );
  const take = async () => {
    await beat();
    await board.start();
    const run = await worker.take();
    await worker.beginSpawn(run);
    return run;
  };
  return { world, ...board, worker, beat, report, toStop, take, [Symbol.asyncDispose]: () => world.store.close() };
}

describe('a budget', () => {
  it('[L-BUDGET] warns the agent once at 80 %, and ends the run with the report that uses it up', async () => {
    await using site = await open({ run: { cost_usd: 5 } });
    const run = await site.take();

    await site.report(run, { cost_usd: 3.99 });
    const early = await site.toStop();
    await site.report(run, { cost_usd: 4 });
    await site.report(run, { cost_usd: 4.5 });
    const warned = await site.toStop();
    const { messages } = await site.world.ask('get_attempt', { attempt_id: run.attempt.id });
    await site.report(run, { cost_usd: 5.02 });

    expect([early, warned]).toEqual([[], []]);
    expect(messages).toMatchObject([{ text: '80 % of the budget is used (4 of 5 USD a run): come to an end.' }]);
    expect(await site.toStop()).toEqual([[run.execution_id, 'budget_exceeded']]);
    await site.worker.finish(run, COMPLETED, []);
    const reason = 'budget_exceeded: 5.02 of 5 USD a run';
    expect(await site.world.ask('get_attempt', { attempt_id: run.attempt.id })).toMatchObject({
      state: 'failed',
      run: { status: 'failed', reason, summary: null },
    });
    expect(await site.world.ask('get_task', { task_id: site.task_id })).toMatchObject({
      status: 'inprogress',
      last_failure_line: reason,
    });
  });

  it('[L-BUDGET] of a task counts all its runs, and keeps the next one from beginning', async () => {
    await using site = await open({ task: { tokens: 1_000 } });
    const first = await site.take();
    await site.report(first, { input_tokens: 500, output_tokens: 100 });
    await site.worker.finish(first, COMPLETED, []);
    const second = await site.take();

    await site.report(second, { input_tokens: 400 });
    const stopped = await site.toStop();
    await site.worker.finish(second, COMPLETED, []);
    const { attempt_id } = await site.start();

    expect(stopped).toEqual([[second.execution_id, 'budget_exceeded']]);
    await expect(site.worker.take()).rejects.toThrow('no run waits');
    expect(await site.world.ask('get_attempt', { attempt_id })).toMatchObject({
      state: 'failed',
      run: { reason: 'budget_exceeded: 1000 of 1000 tokens a task' },
    });
  });

  it('[L-BUDGET] of a day starts again the next day, also for a former key and for an executor', async () => {
    const daily = { cost_usd_per_day: 1 };
    for (const budgets of [{ projects: { sho: daily } }, { agents: { scripted: daily } }]) {
      await using site = await open(budgets);
      await site.world.ask('admin_update_project', { project_id: site.project_id, key: 'STORE' });
      const first = await site.take();
      await site.report(first, { cost_usd: 1 });
      const today = await site.toStop();
      await site.worker.finish(first, COMPLETED, []);
      site.world.time.now += 24 * 60 * 60 * 1000;
      const second = await site.take();

      await site.report(second, { cost_usd: 0.7 });

      expect(today).toEqual([[first.execution_id, 'budget_exceeded']]);
      expect(await site.toStop()).toEqual([]);
    }
  });

  it('[L-BUDGET] of minutes is kept with the heartbeats of the worker', async () => {
    await using site = await open({ run: { minutes: 2 } });
    const run = await site.take();
    const beat = () => site.beat([run]);
    await beat();
    site.world.time.now += 119_000;
    await beat();
    const early = await site.toStop();
    site.world.time.now += 1_000;

    await beat();

    expect(early).toEqual([]);
    expect(await site.toStop()).toEqual([[run.execution_id, 'budget_exceeded']]);
  });

  it('[L-BUDGET] ends a run that is reported from elsewhere, and refuses its further reports', async () => {
    await using site = await open({ run: { cost_usd: 1 } });
    const { execution_id } = await site.world.ask('create_execution', { project_id: site.project_id });

    const ended = await site.world.ask('update_execution', { execution_id, usage: { cost_usd: 1.5 } });
    const refused = await site.world.refuse('update_execution', { execution_id, usage: { cost_usd: 2 } });

    expect(ended).toMatchObject({ status: 'failed', reason: 'budget_exceeded: 1.5 of 1 USD a run' });
    expect(refused.code).toBe('budget_exceeded');
  });

  const RUNS = times({ part: 20, whole: 500 });

  it(`[L-BUDGET] of a task is exceeded by no more than one report of each run, with ${RUNS} runs at once`, async () => {
    const limit = RUNS * 10;
    await using site = await open({ task: { tokens: limit } });
    const runs: ClaimedRun[] = [];
    for (let at = 0; at < RUNS; at++) runs.push(await site.take());
    const going = new Map(runs.map((run, at) => [run, 0 * at]));
    let used = 0;
    for (let round = 1; going.size > 0 && round < 1_000; round++) {
      for (const [run, before] of [...going]) {
        const more = 1 + ((round * 7 + before) % 13);
        going.set(run, before + more);
        used += more;
        await site.report(run, { output_tokens: before + more });
        const stopping = new Set((await site.toStop()).map(([id]) => id));
        // The report that uses the budget up ends its run, and so does every later one.
        expect(stopping.has(run.execution_id)).toBe(used >= limit);
        if (stopping.has(run.execution_id)) {
          await site.worker.finish(run, COMPLETED, []);
          going.delete(run);
        }
      }
    }

    expect(going.size).toBe(0);
    const { total } = await site.world.ask('report_costs', { by: 'task' });
    expect(total).toMatchObject({ tokens: used, runs: RUNS });
  });
});

describe('report_costs', () => {
  it('[L-BUDGET] adds up by task, agent, day and project, for those who see the project', async () => {
    await using site = await open({});
    const run = await site.take();
    await site.report(run, { cost_usd: 0.41, input_tokens: 10 });
    await site.report(run, { cost_usd: 0.4, input_tokens: 12 });
    site.world.time.now += 90_000;
    await site.worker.finish(run, COMPLETED, []);
    const { project_id } = await site.world.ask('admin_add_project', { name: 'Other' });
    const spent = { cost_usd: 0.41, tokens: 12, minutes: 1.5, runs: 1 };

    const rows = async (fields: Record<string, unknown>) => (await site.world.ask('report_costs', fields)).rows;

    expect(await rows({})).toEqual([{ subject: site.task_id, name: 'Fix the login', key: 'SHO-1', ...spent }]);
    expect(await rows({ by: 'agent' })).toMatchObject([{ subject: 'executor:scripted', name: 'scripted', ...spent }]);
    expect(await rows({ by: 'day' })).toMatchObject([{ subject: '2026-01-01', key: null, ...spent }]);
    expect(await rows({ by: 'project' })).toMatchObject([{ name: 'Shop', key: 'SHO', ...spent }]);
    expect(await rows({ project_id })).toEqual([]);
    expect(await rows({ from: '2025-12-01', to: '2025-12-31' })).toEqual([]);
    expect((await site.world.refuse('report_costs', { from: '2026-02-01', to: '2026-01-01' })).code).toBe(
      'validation_error',
    );
  });
});
