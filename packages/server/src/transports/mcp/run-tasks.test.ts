import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { openTasks } from '#compose-tasks';
import type { StepId } from '#domain/ids';
import { createLog } from '#observability/log';
import { aBoard, aWorker } from '#testing/attempts';
import { aTaskServer as aServer } from '#testing/task-server';
import { createWorld } from '#testing/world';

const OPTIONS = JSON.stringify([
  { option: 'yes', name: 'Allow', kind: 'allow_once' },
  { option: 'no', name: 'Reject', kind: 'reject_once' },
]);
const PERMISSION = { kind: 'permission', question: 'Run npm test?', details: 'npm test', options: OPTIONS } as const;

const step = (id: string, name: string, fields: object = {}) =>
  ({
    type: 'step',
    step_id: id as StepId,
    name,
    status: 'running',
    message: null,
    source: 'agent',
    ...fields,
  }) as const;

const COMPLETED = { status: 'completed', reason: null, summary: 'All green.' } as const;

describe.concurrent('a call that starts a run, as a task', () => {
  it('shows the current step while the run goes on, and ends with its result', async () => {
    await using server = await aServer();
    const taskId = await server.begin();
    const run = await server.take();

    await server.worker.log.write(run, [
      step('s1', 'Plan', { status: 'completed' }),
      step('s2', 'Running tests', { message: '3 of 5' }),
    ]);
    const meanwhile = await server.until(taskId, { status: 'working', statusMessage: 'Running tests: 3 of 5' });
    const [repo] = run.repos;
    if (repo === undefined) throw new Error('no repository');
    const files = JSON.stringify([{ path: 'a.ts', change: 'added', insertions: 1, deletions: 0 }]);
    await server.worker.log.write(run, [{ type: 'usage', usage: { cost_usd: 0.5 } }]);
    await server.worker.finish(run, COMPLETED, [{ ...repo, head_commit: 'abc123', files }]);
    const { result } = await server.until(taskId, { status: 'completed' });

    expect(JSON.stringify(meanwhile)).toContain(run.attempt.id);
    expect(result).toMatchObject({
      structuredContent: {
        attempt_id: run.attempt.id,
        execution_id: run.execution_id,
        run_status: 'completed',
        summary: 'All green.',
        branch: run.attempt.branch,
        commits: [{ repo_id: server.board.repo_id, commit: 'abc123' }],
        changed_files: [{ path: 'a.ts', change: 'added' }],
        usage: { cost_usd: 0.5 },
      },
    });
    expect(result).not.toHaveProperty('isError');
  });

  it('is one for 2025 clients that ask for it and for 2026 clients that know tasks, and for no others', async () => {
    await using server = await aServer();
    const params = { name: 'start_task_attempt', arguments: server.call };

    const plain = await server.in2025('tools/call', params);
    const asked = await server.in2025('tools/call', { ...params, task: {} });
    const modern = await server.in2026('tools/call', params);
    const ignorant = await server.in2026('tools/call', params, {});
    const reading = await server.in2026('tools/call', { name: 'list_executors', arguments: {} });

    expect(plain.result).toMatchObject({ structuredContent: { execution_id: expect.any(String) } });
    expect(asked.result).toMatchObject({ task: { status: 'working', ttl: 86_400_000 } });
    expect(modern.result).toMatchObject({ resultType: 'task', ttlMs: 86_400_000 });
    expect(ignorant.result).toMatchObject({ structuredContent: { execution_id: expect.any(String) } });
    expect(reading.result).toMatchObject({ structuredContent: { executors: [{ executor: 'scripted' }] } });
  });

  it.each(['failed', 'interrupted'] as const)('is an error of the tool when the run was %s', async (status) => {
    await using server = await aServer();
    const taskId = await server.begin();
    const run = await server.take();

    await server.worker.finish(run, { status, reason: 'it fell over' }, []);

    expect(await server.until(taskId, { status: 'completed' })).toMatchObject({
      result: { isError: true, structuredContent: { run_status: status, reason: 'it fell over' } },
    });
  });

  it('asks the agent’s question, and passes the answer on', async () => {
    await using server = await aServer();
    const taskId = await server.begin();
    const run = await server.take();

    const approval_id = await server.worker.log.ask(run, PERMISSION);
    const { inputRequests } = await server.until(taskId, { status: 'input_required' });
    await server.in2026('tasks/update', {
      taskId,
      inputResponses: { [approval_id]: { action: 'accept', content: { answer: 'yes' } } },
    });
    const [answered] = await vi.waitFor(async () => {
      const approvals = await server.worker.log.answered(run);
      expect(approvals).toHaveLength(1);
      return approvals;
    });
    await server.worker.finish(run, COMPLETED, []);

    expect(inputRequests).toMatchObject({
      [approval_id]: {
        method: 'elicitation/create',
        params: {
          message: 'Run npm test?\n\nnpm test',
          requestedSchema: {
            properties: {
              answer: {
                oneOf: [
                  { const: 'yes', title: 'Allow' },
                  { const: 'no', title: 'Reject' },
                ],
              },
            },
          },
        },
      },
    });
    expect(answered).toMatchObject({ status: 'approved', option: 'yes' });
    await server.until(taskId, { status: 'completed' });
  });

  it('asks again when the answer is not valid', async () => {
    await using server = await aServer();
    const taskId = await server.begin();
    const run = await server.take();
    const approval_id = await server.worker.log.ask(run, PERMISSION);
    await server.until(taskId, { status: 'input_required' });
    const answer = (key: string, content: object) =>
      server.in2026('tasks/update', { taskId, inputResponses: { [key]: { action: 'accept', content } } });

    await answer(approval_id, { answer: 'perhaps' });
    const again = await server.until(taskId, { inputRequests: { [`${approval_id}:2`]: {} } });
    await answer(`${approval_id}:2`, { answer: 'no' });

    expect(JSON.stringify(again.inputRequests)).toContain('none of the options');
    await vi.waitFor(async () => expect(await server.worker.log.answered(run)).toMatchObject([{ status: 'denied' }]));
  });

  it('treats a declined question as a denial', async () => {
    await using server = await aServer();
    const taskId = await server.begin();
    const run = await server.take();
    const approval_id = await server.worker.log.ask(run, PERMISSION);
    await server.until(taskId, { status: 'input_required' });

    await server.in2026('tasks/update', { taskId, inputResponses: { [approval_id]: { action: 'decline' } } });

    await vi.waitFor(async () => expect(await server.worker.log.answered(run)).toMatchObject([{ option: 'no' }]));
  });

  it('continues when the question is answered elsewhere', async () => {
    await using server = await aServer();
    const taskId = await server.begin();
    const run = await server.take();
    const approval_id = await server.worker.log.ask(run, PERMISSION);
    await server.until(taskId, { status: 'input_required' });

    await server.world.ask('respond_approval', { approval_id, decision: 'approve' });

    await server.until(taskId, { status: 'working', statusMessage: 'Runs.' });
    await server.worker.finish(run, COMPLETED, []);
    await server.until(taskId, { status: 'completed' });
  });

  it('is stopped by cancelling it, which is written before the task is over', async () => {
    await using server = await aServer();
    const taskId = await server.begin();
    const run = await server.take();
    await server.until(taskId, { statusMessage: 'Runs.' });

    const cancelled = await server.in2025('tasks/cancel', { taskId });

    expect(cancelled.result).toMatchObject({ status: 'cancelled' });
    const found = await server.world.store.reads.queue.findForWorker(run.execution_id);
    expect(found?.stop_requested_at).not.toBeNull();
  });

  it('is cancelled, and not failed, when its run never began', async () => {
    await using server = await aServer();
    const taskId = await server.begin();
    await server.until(taskId, { statusMessage: 'Waits for a worker to begin.' });

    const cancelled = await server.in2025('tasks/cancel', { taskId });

    expect(cancelled.result).toMatchObject({ status: 'cancelled' });
    expect(await server.get(taskId)).toMatchObject({ status: 'cancelled' });
    expect(await server.world.store.reads.queue.waiting({ executors: ['scripted'], host_id: 'x', limit: 9 })).toEqual(
      [],
    );
  });

  it('says that it was stopped when another caller has stopped the run', async () => {
    await using server = await aServer();
    const taskId = await server.begin();
    const { attempt, ...run } = await server.take();

    await server.world.ask('stop_attempt', { attempt_id: attempt.id });
    await server.worker.finish(run, { status: 'killed', reason: 'stopped' }, []);

    expect(await server.until(taskId, { status: 'completed' })).toMatchObject({
      statusMessage: 'Stopped.',
      result: { isError: true, structuredContent: { run_status: 'killed', reason: 'stopped' } },
    });
    const { result } = await server.in2025('tasks/get', { taskId });
    expect(result).toMatchObject({ status: 'failed', statusMessage: 'Stopped.' });
  });

  it('says why its run was interrupted', async () => {
    await using server = await aServer();
    const taskId = await server.begin();

    await server.worker.finish(await server.take(), { status: 'interrupted', reason: 'worker lost' }, []);

    expect(await server.until(taskId, { status: 'completed' })).toMatchObject({
      statusMessage: 'Interrupted: worker lost',
    });
  });

  it('ends when its token ends', async () => {
    await using server = await aServer();
    const taskId = await server.begin();
    await server.take();
    const { owner_id } = (await server.tasks.list(`sub:${server.world.owner.user_id}`)).tasks[0] ?? {};

    await server.world.ask('admin_revoke_token', { token_id: server.token_id });

    const { outcome } = await server.tasks.wait(owner_id ?? '', taskId);
    expect(outcome).toMatchObject({ kind: 'rpc_error', error: { message: expect.stringContaining('revoked') } });
  });
});

describe.concurrent('a task whose process was replaced', () => {
  it('continues with its run: nothing is started twice, and nothing asked twice', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'errand-run-tasks-'));
    await using world = await createWorld();
    const { gateway, installation } = world;
    const open = () =>
      openTasks({
        store: { kind: 'sqlite', path: join(folder, 'tasks.db') },
        gateway,
        installation,
        log: createLog({ level: 'silent', fd: 2 }),
      });
    const { task_id: item, repo_id } = await aBoard(world);
    const worker = await aWorker(world);
    const [first, owner] = [await open(), 'sub:owner'];
    const context = {
      pass: gateway.passOf(world.owner),
      acts_for: '*',
      reach_key: '*',
      profile: 'all',
      transport: 'cli',
    };
    const { task_id } = await first.tasks.create({
      owner_id: owner,
      tool: `${first.namespace}:start_task_attempt`,
      arguments: { task_id: String(item), executor: 'scripted', repos: [{ repo_id: String(repo_id) }] },
      context,
    });
    const run = await vi.waitFor(() => worker.take());
    const approval_id = await worker.log.ask(run, PERMISSION);
    await first.tasks.wait(owner, task_id, { until: ({ status }) => status === 'input_required' });
    await first.tasks.close({ grace_ms: 0 });

    const { tasks } = await open();
    await tasks.answer(owner, task_id, { [approval_id]: { action: 'accept', content: { answer: 'yes' } } });
    await vi.waitFor(async () => expect(await worker.log.answered(run)).toMatchObject([{ option: 'yes' }]), 5_000);
    await worker.finish(run, COMPLETED, []);
    const { inputs, outcome } = await tasks.wait(owner, task_id);
    await tasks.close({ grace_ms: 0 });
    await rm(folder, { recursive: true });

    expect(outcome).toMatchObject({ kind: 'result', result: { structuredContent: { run_status: 'completed' } } });
    expect(Object.keys(inputs)).toEqual([approval_id]);
    expect((await world.ask('list_task_attempts', { task_id: item })).attempts).toHaveLength(1);
  });
});

describe.concurrent('a queued follow-up, as a task', () => {
  const queued = { action: 'queue', prompt: 'And the tests?' };

  it('ends with the run that it becomes', async () => {
    await using server = await aServer();
    await server.board.start();
    const first = await server.take();

    const taskId = await server.begin('follow_up', { ...queued, attempt_id: first.attempt.id });
    await server.until(taskId, { status: 'working', statusMessage: 'Waits for the run before it to end.' });
    await server.worker.finish(first, COMPLETED, []);
    const second = await server.take();
    await server.worker.finish(second, { ...COMPLETED, summary: 'Tested.' }, []);

    expect(await server.until(taskId, { status: 'completed' })).toMatchObject({
      result: { structuredContent: { run_status: 'completed', summary: 'Tested.' } },
    });
  });

  it('is cancelled with the task, and the run before it goes on', async () => {
    await using server = await aServer();
    await server.board.start();
    const first = await server.take();
    const taskId = await server.begin('follow_up', { ...queued, attempt_id: first.attempt.id });
    await server.until(taskId, { status: 'working', statusMessage: 'Waits for the run before it to end.' });

    const cancelled = await server.in2025('tasks/cancel', { taskId });

    expect(cancelled.result).toMatchObject({ status: 'cancelled' });
    expect(await server.world.store.reads.attempts.queued(first.attempt, first.session.id)).toEqual([]);
    expect((await server.world.store.reads.queue.findForWorker(first.execution_id))?.stop_requested_at).toBeNull();
  });

  it('says that it was cancelled when another caller has done so', async () => {
    await using server = await aServer();
    await server.board.start();
    const { attempt } = await server.take();
    const taskId = await server.begin('follow_up', { ...queued, attempt_id: attempt.id });
    await server.until(taskId, { statusMessage: 'Waits for the run before it to end.' });

    await server.world.ask('follow_up', { attempt_id: attempt.id, action: 'cancel' });

    expect(await server.until(taskId, { status: 'completed' })).toMatchObject({
      result: { isError: true, structuredContent: { reason: expect.stringContaining('taken back') } },
    });
  });
});
