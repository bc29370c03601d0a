import { describe, expect, it } from 'vitest';
import type { RunId, StepId } from '#domain/ids';
import { STALLED_AFTER_MS } from '#domain/run';
import { markSilent } from '#services/runs/silence';
import { aRun, aStep, stepsOf } from '#testing/runs';
import { createWorld } from '#testing/world';

describe('executions', () => {
  it('begin as running, external and alive', async () => {
    await using world = await createWorld();

    const made = await world.ask('create_execution', { name: '  Fix\nthe login ' });

    expect(made).toMatchObject({
      name: 'Fix the login',
      kind: 'external',
      status: 'running',
      liveness: 'live',
      project_id: null,
      work_item_id: null,
      user_id: world.owner.user_id,
      agent_id: null,
      session_id: null,
      ended_at: null,
    });
    expect(made.execution_id).toBe(made.id);
    expect(await world.ask('get_execution', { execution_id: made.id })).toEqual(made);
  });

  it('belong to the project of their work item', async () => {
    await using world = await createWorld();
    const { task_id } = await world.ask('todo_add_task', { user_id: 'me', title: 'Milk' });
    const { project_id: other } = await world.ask('admin_add_project', { name: 'Other' });

    const made = await world.ask('create_execution', { work_item_id: task_id });
    const elsewhere = await world.refuse('create_execution', { work_item_id: task_id, project_id: other });
    const unknown = await world.refuse('create_execution', { work_item_id: 'no-such-item' });

    expect(made).toMatchObject({ work_item_id: task_id, project_id: world.installation.inbox_id });
    expect(elsewhere).toMatchObject({ code: 'validation_error', message: expect.stringContaining('work_item_id') });
    expect({ ...unknown, correlation_id: '' }).toEqual({ ...elsewhere, correlation_id: '' });
  });

  it('belong to no unknown project', async () => {
    await using world = await createWorld();

    const refused = await world.refuse('create_execution', { project_id: 'no-such-project' });

    expect(refused.code).toBe('not_found');
    expect((await world.ask('list_executions', {})).executions).toEqual([]);
  });

  it('keep the reported fields, and leave the rest unchanged', async () => {
    await using world = await createWorld();
    const execution_id = await aRun(world);

    await world.ask('update_execution', { execution_id, session_id: 's-1', worktree_path: '/w' });
    await world.ask('update_execution', { execution_id, usage: { input_tokens: 10, cost_usd: 0.5 } });
    const after = await world.ask('update_execution', { execution_id, session_id: 's-2' });

    expect(after).toMatchObject({
      session_id: 's-2',
      worktree_path: '/w',
      usage: { input_tokens: 10, cost_usd: 0.5 },
      status: 'running',
    });
  });

  it('refuse an unknown field of a cost, and keep the one that they have', async () => {
    await using world = await createWorld();
    const execution_id = await aRun(world);
    await world.ask('update_execution', { execution_id, usage: { input_tokens: 3 } });

    const refused = await world.refuse('update_execution', { execution_id, usage: { inputTokens: 5 } });

    expect(refused).toMatchObject({ code: 'validation_error', message: expect.stringContaining('inputTokens') });
    expect(await world.ask('get_execution', { execution_id })).toMatchObject({ usage: { input_tokens: 3 } });
  });

  it('are found by the time since their last report, until they end', async () => {
    await using world = await createWorld();
    const [hung, ended] = [await aRun(world), await aRun(world)];
    world.time.now += STALLED_AFTER_MS + 1;
    await world.store.transaction(markSilent);
    await world.ask('update_execution', { execution_id: ended, status: 'killed' });
    const live = await aRun(world);
    const listed = async (liveness: string) =>
      ((await world.ask('list_executions', { liveness })).executions as { id: string }[]).map(({ id }) => id);

    expect(await listed('stalled')).toEqual([hung]);
    expect(await listed('quiet')).toEqual([]);
    expect(await listed('live')).toEqual([live]);
    expect(await world.ask('get_execution', { execution_id: ended })).toMatchObject({ liveness: null });
  });

  it('refuse an empty update', async () => {
    await using world = await createWorld();
    const execution_id = await aRun(world);

    const refused = await world.refuse('update_execution', { execution_id });

    expect(refused).toMatchObject({ code: 'validation_error', message: expect.stringContaining('at least one') });
  });

  it.each([
    ['completed', 'completed'],
    ['failed', 'failed'],
    ['killed', 'failed'],
    ['interrupted', 'failed'],
  ])('that end as %s end their open steps as %s', async (status, ended) => {
    await using world = await createWorld();
    const execution_id = await aRun(world);
    await aStep(world, execution_id);
    await aStep(world, execution_id, { status: 'skipped' });

    const after = await world.ask('update_execution', { execution_id, status, reason: 'because' });

    const [open, skipped] = await stepsOf(world, execution_id);
    expect(after).toMatchObject({ status, reason: 'because', ended_at: '2026-01-01T00:00:00.000Z' });
    expect(open).toMatchObject({ status: ended, ended_at: '2026-01-01T00:00:00.000Z' });
    expect(skipped).toMatchObject({ status: 'skipped' });
    expect((await world.ask('list_feed', { execution_id })).entries).toMatchObject([
      { kind: 'status', text: `${status}: because`, seq: 1 },
    ]);
  });

  it('that ended stay ended, but still accept a summary', async () => {
    await using world = await createWorld();
    const execution_id = await aRun(world);
    const step_id = await aStep(world, execution_id);
    await world.ask('update_execution', { execution_id, status: 'failed', reason: 'no tests' });

    const revived = await world.refuse('update_execution', { execution_id, status: 'running' });
    const turned = await world.refuse('update_execution', { execution_id, status: 'completed' });
    const step = await world.refuse('create_step', { execution_id, step_name: 'More' });
    const change = await world.refuse('update_step', { execution_id, step_id, status: 'running' });
    const same = await world.ask('update_execution', {
      execution_id,
      status: 'failed',
      summary: 'Nothing came of it.',
    });

    for (const { code } of [revived, turned, step, change]) expect(code).toBe('conflict');
    for (const rewritten of [{ summary: 'All went well.' }, { reason: 'other' }]) {
      expect((await world.refuse('update_execution', { execution_id, ...rewritten })).code).toBe('conflict');
    }
    const cost = await world.ask('update_execution', { execution_id, usage: { cost_usd: 2 } });
    expect(cost).toMatchObject({ summary: 'Nothing came of it.', usage: { cost_usd: 2 } });
    expect(same).toMatchObject({ status: 'failed', reason: 'no tests', summary: 'Nothing came of it.' });
  });

  it('do not go back to the queue', async () => {
    await using world = await createWorld();
    const execution_id = await aRun(world);

    const refused = await world.refuse('update_execution', { execution_id, status: 'queued' });

    expect(refused.code).toBe('validation_error');
  });

  it('are listed newest first, by kind and project, in parts', async () => {
    await using world = await createWorld();
    const project_id = world.installation.inbox_id;
    const ids = [await aRun(world, { project_id }), await aRun(world), await aRun(world)];
    await world.ask('update_execution', { execution_id: ids[1], status: 'completed' });
    const list = async (query: object) => {
      const { executions, next_cursor } = await world.ask('list_executions', query);
      return { ids: (executions as { id: string }[]).map(({ id }) => id), next_cursor };
    };

    const first = await list({ limit: 2 });
    const rest = await list({ limit: 2, cursor: first.next_cursor });

    expect([first.ids, rest.ids]).toEqual([[ids[2], ids[1]], [ids[0]]]);
    expect(rest.next_cursor).toBeUndefined();
    expect((await list({ status: 'completed' })).ids).toEqual([ids[1]]);
    expect((await list({ project_id })).ids).toEqual([ids[0]]);
    expect((await world.refuse('list_executions', { cursor: first.next_cursor, status: 'running' })).code).toBe(
      'validation_error',
    );
  });
});

describe('steps', () => {
  it('[R2.1, R2.2, R2.5] are numbered from 1 and are running by default', async () => {
    await using world = await createWorld();
    const execution_id = await aRun(world);

    const one = await world.ask('create_step', { execution_id, step_name: 'One' });
    const two = await world.ask('create_step', {
      execution_id,
      step_name: 'Two',
      status: 'completed',
      message: ' ok ',
    });

    expect(one).toMatchObject({
      seq: 1,
      step_name: 'One',
      status: 'running',
      message: null,
      source: 'agent',
      ended_at: null,
    });
    expect(two).toMatchObject({ seq: 2, status: 'completed', message: 'ok', ended_at: '2026-01-01T00:00:00.000Z' });
    expect(await stepsOf(world, execution_id)).toEqual([one, two]);
  });

  it('[R3.1, R3.5] change in the given fields, and have an end when they end', async () => {
    await using world = await createWorld();
    const execution_id = await aRun(world);
    const step_id = await aStep(world, execution_id, { message: 'begun' });
    world.time.now += 5_000;

    const ended = await world.ask('update_step', { execution_id, step_id, status: 'failed' });
    world.time.now += 5_000;
    const updated = await world.ask('update_step', { execution_id, step_id, message: 'no disk' });
    const again = await world.ask('update_step', { execution_id, step_id, status: 'running', message: '' });

    expect(ended).toMatchObject({ status: 'failed', message: 'begun', ended_at: '2026-01-01T00:00:05.000Z' });
    expect(updated).toMatchObject({ status: 'failed', message: 'no disk', ended_at: '2026-01-01T00:00:05.000Z' });
    expect(again).toMatchObject({ status: 'running', message: null, ended_at: null });
  });

  it('[R2.7, R3.3] refuse an unknown status by naming the known ones', async () => {
    await using world = await createWorld();
    const execution_id = await aRun(world);
    const step_id = await aStep(world, execution_id);
    const wrong = ['done', 'Running', '', 7, true, {}, ['running'], 'x'.repeat(10_000)];

    for (const status of wrong) {
      const made = await world.refuse('create_step', { execution_id, step_name: 'X', status });
      const changed = await world.refuse('update_step', { execution_id, step_id, status });

      for (const { code, message, details } of [made, changed]) {
        expect(code).toBe('validation_error');
        expect(message).toMatch(/^Invalid status '.{0,70}'\. Must be one of: running, completed, failed, skipped$/);
        expect(details).toEqual({ valid_statuses: ['running', 'completed', 'failed', 'skipped'] });
      }
    }
    expect(await stepsOf(world, execution_id)).toHaveLength(1);
  });

  it('[R3.4] refuse an update of nothing', async () => {
    await using world = await createWorld();
    const execution_id = await aRun(world);
    const step_id = await aStep(world, execution_id);

    for (const nothing of [{}, { status: null }, { message: null, status: null }]) {
      const refused = await world.refuse('update_step', { execution_id, step_id, ...nothing });

      expect(refused.message).toBe('Provide at least status or message to update');
    }
  });

  it('are at most ten thousand in one run', async () => {
    await using world = await createWorld();
    const execution_id = await aRun(world);
    const step_id = await aStep(world, execution_id);
    const { workspace_id } = world.owner;
    await world.store.transaction(async (tx) => {
      const run = await tx.runs.seen({ workspace_id, sees: () => true }, execution_id as RunId);
      const step = run === null ? null : await tx.runs.step(run, step_id as StepId);
      if (step !== null) await tx.runs.insertStep({ ...step, id: 'last' as StepId, seq: 10_000 });
    });

    const refused = await world.refuse('create_step', { execution_id, step_name: 'One more' });

    expect(refused).toMatchObject({ code: 'conflict', message: expect.stringContaining('10000 steps') });
  });

  it('treat a status of null as none', async () => {
    await using world = await createWorld();
    const execution_id = await aRun(world);

    const made = await world.ask('create_step', { execution_id, step_name: 'X', status: null, message: null });

    expect(made).toMatchObject({ status: 'running', message: null });
  });

  it('are found in their own execution only', async () => {
    await using world = await createWorld();
    const [mine, other] = [await aRun(world), await aRun(world)];
    const step_id = await aStep(world, other);

    const refused = await world.refuse('update_step', { execution_id: mine, step_id, status: 'completed' });

    expect(refused.code).toBe('not_found');
    expect(await stepsOf(world, other)).toMatchObject([{ status: 'running' }]);
  });

  it('have visible names', async () => {
    await using world = await createWorld();
    const execution_id = await aRun(world);

    const refused = await world.refuse('create_step', { execution_id, step_name: '\u200b\u200b' });
    const made = await world.ask('create_step', { execution_id, step_name: 'A\u200bB\nC', message: 'D\u202eE' });

    expect(refused.code).toBe('validation_error');
    expect(made).toMatchObject({ step_name: 'AB C', message: 'DE' });
  });
});

describe('the feed', () => {
  it('keeps the entries in order', async () => {
    await using world = await createWorld();
    const execution_id = await aRun(world);
    const add = (kind: string, text: string) => world.call('add_feed_entry', { execution_id, kind, text });

    await add('message', 'Hello');
    await add('command', 'npm test');
    const refused = await add('status', 'completed');

    const { entries, next_cursor } = await world.ask('list_feed', { execution_id, limit: 1 });
    const rest = await world.ask('list_feed', { execution_id, limit: 1, cursor: next_cursor });
    expect(entries).toMatchObject([{ seq: 1, kind: 'message', text: 'Hello' }]);
    expect(rest).toMatchObject({ entries: [{ seq: 2, kind: 'command', text: 'npm test' }] });
    expect(refused).toMatchObject({ ok: false, error: { code: 'validation_error' } });
  });
});
