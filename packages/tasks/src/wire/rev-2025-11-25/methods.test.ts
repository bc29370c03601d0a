import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#json';
import type { TaskHandler } from '#tasks';
import { aGate, openTasks } from '#testing/open-tasks';
import { VARIABLES_META } from '#wire/meta';
import { createTaskMethods2025, type TaskCallRequest } from './methods.ts';
import { MODEL_IMMEDIATE_RESPONSE, RELATED_TASK } from './task.ts';

const requestor = { subject: 'alice' };
const never: TaskHandler = ({ signal }) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

function open(tools: Readonly<Record<string, TaskHandler>> = {}) {
  const tasks = openTasks({ tools: { never, greet, ...tools } });
  const methods = createTaskMethods2025({ tasks });
  const start = async (name: string, more: Partial<TaskCallRequest> = {}) => {
    const created = await methods.call({ params: { name, task: {} }, requestor, task_support: 'optional', ...more });
    if (created === null) throw new Error('no task');
    return { params: { taskId: created.task.taskId }, requestor, created };
  };
  return { tasks, methods, start };
}

const greet: TaskHandler = async ({ arguments: { name = 'you' } }) => ({
  content: [{ type: 'text', text: `Hello ${name}.` }],
});

const invalid = (message: string) => expect.objectContaining({ name: 'RpcFailure', code: -32602, message });

describe('tools/call of 2025-11-25', () => {
  it('[A2, INTG-03, SPEC-03] creates a task when `task` is given', async () => {
    const { methods, start } = open();
    const params = { name: 'greet', arguments: { name: 'Ada' }, task: { ttl: 60_000 } };

    const { created, ...request } = await start('greet', { params });

    expect(created.task).toMatchObject({ status: 'working', ttl: 60_000 });
    expect(await methods.result(request)).toMatchObject({ content: [{ type: 'text', text: 'Hello Ada.' }] });
  });

  it('[A2] treats a call without `task` as a plain call', async () => {
    const { tasks, methods } = open();
    const anonymous = {};

    const plain = await methods.call({ params: { name: 'greet' }, requestor: anonymous, task_support: 'optional' });

    expect(plain).toBeNull();
    expect((await tasks.list('sub:alice')).tasks).toEqual([]);
  });

  it('[A2] refuses `task` where the tool forbids it, and a plain call where the tool requires it', async () => {
    const { methods } = open();
    const refused = { name: 'RpcFailure', code: -32601 };

    const asTask = methods.call({ params: { name: 'greet', task: {} }, requestor, task_support: 'forbidden' });
    const plain = methods.call({ params: { name: 'greet' }, requestor, task_support: 'required' });

    await expect(asTask).rejects.toMatchObject(refused);
    await expect(plain).rejects.toMatchObject(refused);
  });

  it.each<[JsonObject, string]>([
    [{ name: 'greet', task: true }, 'task must be an object.'],
    [{ name: 'greet', task: { ttl: '60000' } }, 'task.ttl must be a number of milliseconds.'],
    [{ name: 'greet', task: { ttl: -1 } }, 'ttl must be a whole number of milliseconds, 0 or more.'],
    [{ name: 'greet', task: {}, arguments: [] }, 'arguments must be an object.'],
    [{ task: {} }, 'name must be the name of a tool.'],
    [{ name: 'greet', task: {}, _meta: { progressToken: {} } }, 'progressToken must be a string or a whole number.'],
  ])('[A2, TYPE-06] refuses %j and says why', async (params, message) => {
    const { methods } = open();

    const call = methods.call({ params, requestor, task_support: 'optional' });

    await expect(call).rejects.toEqual(invalid(message));
  });

  it('[O1, TYPE-09] creates no task for an unknown requestor', async () => {
    const { methods } = open();

    const call = methods.call({ params: { name: 'greet', task: {} }, requestor: {}, task_support: 'optional' });

    await expect(call).rejects.toEqual(
      invalid(
        'Tasks need a requestor that is known: send a token, or the id of a session where sessions may have tasks.',
      ),
    );
  });

  it('[A11, INTG-12] passes the immediate response of the model on', async () => {
    const { start } = open();

    const { created } = await start('never', { immediate_response: 'On it.' });

    expect(created._meta).toEqual({ [MODEL_IMMEDIATE_RESPONSE]: 'On it.' });
  });
});

describe('tasks/get and tasks/cancel of 2025-11-25', () => {
  it('[A3, INTG-05] answer the flat task', async () => {
    const { methods, start } = open();
    const { created, ...request } = await start('never');

    const task = await methods.get(request);

    expect(task).toEqual(created.task);
  });

  it('[A6, INTG-08] answer a task that is cancelled already, and cancel no task twice', async () => {
    const { methods, start } = open();
    const { created, ...request } = await start('never');

    const cancelled = await methods.cancel(request);
    const again = methods.cancel(request);

    expect(cancelled).toMatchObject({ taskId: created.task.taskId, status: 'cancelled' });
    await expect(again).rejects.toEqual(invalid('The task is cancelled already.'));
    expect(await methods.get(request)).toMatchObject({ status: 'cancelled' });
  });

  it.each<[unknown, string]>([
    [undefined, 'params must be an object.'],
    [{}, 'taskId must be a string.'],
    [{ taskId: 7 }, 'taskId must be a string.'],
    [{ taskId: '' }, 'Task not found.'],
    [{ taskId: 'a'.repeat(100_000) }, 'Task not found.'],
  ])('[TYPE-06, TYPE-09] refuse strange params', async (params, message) => {
    const { methods } = open();

    for (const method of [methods.get, methods.result, methods.cancel]) {
      await expect(method({ params, requestor })).rejects.toEqual(invalid(message));
    }
  });
});

describe('tasks/list of 2025-11-25', () => {
  it('[A5, INTG-07] pages through all tasks of the requestor, newest first', async () => {
    const { tasks, methods } = open();
    const made: string[] = [];
    for (let i = 0; i < 60; i += 1) {
      made.unshift((await tasks.create({ owner_id: 'sub:alice', tool: 'never', arguments: {} })).task_id);
    }

    const first = await methods.list({ params: undefined, requestor });
    const second = await methods.list({ params: { cursor: first.nextCursor }, requestor });

    const listed = [...first.tasks, ...second.tasks].map(({ taskId }) => taskId);
    expect(listed.toSorted()).toEqual(made.toSorted());
    expect(first.tasks.length).toBeGreaterThan(second.tasks.length);
    expect(second).not.toHaveProperty('nextCursor');
  });

  it('[V3, HNDL-02] shows the variables of each task, except hidden ones', async () => {
    const { tasks, methods } = open();
    const variables = { page: 2, _lock: true };
    const { task_id } = await tasks.create({ owner_id: 'sub:alice', tool: 'never', arguments: {}, variables });

    const listed = await methods.list({ params: undefined, requestor });
    const found = await methods.get({ params: { taskId: task_id }, requestor });

    expect(listed.tasks).toEqual([found]);
    expect(found._meta).toEqual({ [VARIABLES_META]: { page: 2 } });
  });

  it.each([[{ cursor: 'next' }], [{ cursor: 7 }], [{ cursor: '' }], [[]]])('[A5] refuses %j', async (params) => {
    const { methods } = open();

    await expect(methods.list({ params, requestor })).rejects.toMatchObject({ name: 'RpcFailure', code: -32602 });
  });
});

describe('tasks/result of 2025-11-25', () => {
  it('[A4, INTG-06, R4] blocks until the task ends', async () => {
    const gate = aGate();
    const { methods, start } = open({ wait: async () => gate.passed.then(() => ({ content: [] })) });
    const { created, ...request } = await start('wait');
    let answered = false;

    const result = methods.result(request).finally(() => {
      answered = true;
    });
    await methods.get(request);
    const before = answered;
    gate.open();

    expect(before).toBe(false);
    expect(await result).toEqual({ content: [], _meta: { [RELATED_TASK]: { taskId: created.task.taskId } } });
  });

  it('[A4, A6] answers a waiting client when the task is cancelled', async () => {
    const { methods, start } = open();
    const { created: _, ...request } = await start('never');

    const result = methods.result(request);
    const rejected = expect(result).rejects.toEqual(invalid('The task was cancelled and has no result.'));
    await methods.cancel(request);

    await rejected;
  });

  it('[A4] ends when the requestor aborts, and does not change the task', async () => {
    const { methods, start } = open();
    const { created: _, ...request } = await start('never');
    const giveUp = new AbortController();

    const result = methods.result(request, { signal: giveUp.signal });
    const rejected = expect(result).rejects.toThrow('enough');
    giveUp.abort(new Error('enough'));

    await rejected;
    expect(await methods.get(request)).toMatchObject({ status: 'working' });
  });
});
