import { afterEach, describe, expect, it, vi } from 'vitest';
import { executionBody, stepBody } from '#tools/executions/fields';
import type { TaskManager } from '#tools/task-manager';
import { createMockTaskManager } from './mock-task-manager.ts';
import { failureOf } from './testing/stub-task-manager.ts';

afterEach(() => {
  vi.useRealTimers();
});

describe('the Task Manager in memory', () => {
  it('[R5.5] keeps executions for tests to inspect', async () => {
    const manager = createMockTaskManager();

    await manager.patchExecution('e1', { session_id: 'mine' });
    await manager.patchExecution('e1', { session_id: undefined, worktree_path: '/w' });

    expect([...manager.executions.keys()]).toEqual(['e1']);
    expect(manager.executions.get('e1')).toMatchObject({ id: 'e1', session_id: 'mine', worktree_path: '/w' });
  });

  it('[R5.5] keeps steps for tests to inspect', async () => {
    const manager = createMockTaskManager();

    const { step_id } = await manager.createStep('e1', { step_name: 'Build', message: 'All of it' });
    await manager.patchStep('e1', step_id, { status: 'completed' });

    expect([...manager.executions.keys()]).toEqual(['e1']);
    expect([...manager.steps.keys()]).toEqual([step_id]);
    expect(manager.steps.get(step_id)).toMatchObject({
      step_name: 'Build',
      message: 'All of it',
      status: 'completed',
      ended_at: expect.any(String),
    });
  });

  it('answers in the shapes of the real one', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const manager = createMockTaskManager();

    const execution = await manager.patchExecution('e1', { session_id: 'mine' });
    const created = await manager.createStep('e1', { step_name: 'Build', status: 'skipped' });
    const patched = await manager.patchStep('e1', created.step_id, { message: 'Not needed' });

    expect({ ...executionBody.strict().parse(execution), step_count: 1 }).toEqual(manager.executions.get('e1'));
    expect(stepBody.strict().parse(created)).toMatchObject({ status: 'skipped', message: null });
    expect(stepBody.strict().parse(patched)).toEqual(manager.steps.get(created.step_id));
  });

  it.each([
    ['a name', (manager: TaskManager) => manager.createStep('e1', { step_name: '\u200B \u202E' })],
    ['a session', (manager: TaskManager) => manager.patchExecution('e1', { session_id: '\u200B' })],
  ])('refuses %s without visible characters, as the store does', async (_, report) => {
    const manager = createMockTaskManager();

    await expect(report(manager)).rejects.toMatchObject({ code: 'validation_error' });

    expect([manager.executions.size, manager.steps.size]).toEqual([0, 0]);
  });

  it('keeps names on one line, and only the visible text of messages', async () => {
    const manager = createMockTaskManager();

    const { step_id, ...step } = await manager.createStep('e1', { step_name: 'Build\r\n it', message: ' a\u200B\nb ' });
    const cleared = await manager.patchStep('e1', step_id, { message: '\u200B' });
    const { session_id } = await manager.patchExecution('e1', { session_id: 'a\nb' });

    expect(step).toMatchObject({ step_name: 'Build it', message: 'a\nb' });
    expect(cleared.message).toBeNull();
    expect(session_id).toBe('a b');
  });

  it('counts the steps of each execution', async () => {
    const manager = createMockTaskManager();

    const first = await manager.createStep('e1', { step_name: 'Build' });
    const other = await manager.createStep('e2', { step_name: 'Build' });
    const second = await manager.createStep('e1', { step_name: 'Test' });

    expect([first.seq, other.seq, second.seq]).toEqual([1, 1, 2]);
    expect(new Set([first.step_id, other.step_id, second.step_id]).size).toBe(3);
  });

  it('begins a step as running, and ends it once', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 0 });
    const manager = createMockTaskManager();

    const begun = await manager.createStep('e1', { step_name: 'Build' });
    const ended = await manager.patchStep('e1', begun.step_id, { status: 'failed' });
    vi.setSystemTime(60_000);
    const again = await manager.patchStep('e1', begun.step_id, { message: 'Out of memory' });
    const resumed = await manager.patchStep('e1', begun.step_id, { status: 'running' });

    expect(begun).toMatchObject({ status: 'running', ended_at: null });
    expect(again).toMatchObject({ status: 'failed', message: 'Out of memory', ended_at: ended.ended_at });
    expect(again.updated_at).not.toBe(ended.updated_at);
    expect(resumed.ended_at).toBeNull();
  });

  it.each(['unknown', 'of another execution'])('knows no step that is %s', async (kind) => {
    const manager = createMockTaskManager();
    const { step_id } = await manager.createStep('e2', { step_name: 'Build' });

    const error = await failureOf(manager.patchStep('e1', kind === 'unknown' ? 'nothing' : step_id, { message: 'x' }));

    expect(error).toMatchObject({ error_code: 'not_found', status_code: 404 });
    expect(manager.steps.get(step_id)?.message).toBeNull();
  });

  it('[R4.1] is always healthy', async () => {
    expect(await createMockTaskManager().checkHealth()).toEqual({ status: 'healthy', client: 'mock' });
  });
});
