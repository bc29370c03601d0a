import { describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '#json';
import type { TaskHandler } from '#tasks';
import { aGate, openTasks } from '#testing/open-tasks';
import type { RpcNotification } from '#wire/json-rpc';
import { aQuestion } from '#wire/testing/any-record';
import { declareTasks } from './extension.ts';
import { createTaskMethods2026, type TaskCallRequest } from './methods.ts';

const requestor = { subject: 'alice' };
const owner_id = 'sub:alice';
const declaring = { requestor, client_capabilities: declareTasks() };
const silent = { requestor, client_capabilities: { tasks: { list: {}, cancel: {} } } };
const missing = { name: 'RpcFailure', code: -32021, data: { requiredCapabilities: declareTasks() } };

const never: TaskHandler = ({ signal }) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
const ask: TaskHandler = async ({ requireInput }) => {
  const [city, roots] = await Promise.all([
    requireInput('city', aQuestion()),
    requireInput('roots', aQuestion('roots/list')),
  ]);
  return { content: [], structuredContent: { city, roots } };
};

function open(tools: Readonly<Record<string, TaskHandler>> = {}) {
  const tasks = openTasks({ tools: { never, ask, ...tools } });
  const methods = createTaskMethods2026({ tasks });
  const start = async (name: string, more: Partial<TaskCallRequest> = {}) => {
    const created = await methods.call({ params: { name }, task_support: 'optional', ...declaring, ...more });
    if (created === null) throw new Error('no task');
    return { created, taskId: created.taskId, request: { params: { taskId: created.taskId }, ...declaring } };
  };
  const asked = async () => {
    const started = await start('ask');
    await vi.waitFor(async () => {
      const { inputRequests } = await methods.get(started.request);
      expect(Object.keys(inputRequests ?? {}).toSorted()).toEqual(['city', 'roots']);
    });
    const update = (inputResponses: unknown) =>
      methods.update({ params: { taskId: started.taskId, inputResponses }, ...declaring });
    return { ...started, update };
  };
  return { tasks, methods, start, asked };
}

describe('tools/call of 2026-07-28', () => {
  it('[B1, B2, R1] answers with a task that `tasks/get` finds at once', async () => {
    const { methods, start } = open();

    const { created, request } = await start('never');

    expect(created).toMatchObject({ resultType: 'task', status: 'working' });
    expect(await methods.get(request)).toEqual({ ...created, resultType: 'complete' });
  });

  it('[B2] is plain if the tool forbids tasks, or has them optional and the request does not declare them', async () => {
    const { methods } = open();
    const params = { name: 'never' };

    const forbidden = await methods.call({ params, ...declaring, task_support: 'forbidden' });
    const undeclared = await methods.call({ params, ...silent, task_support: 'optional' });

    expect([forbidden, undeclared]).toEqual([null, null]);
  });

  it('[B2] is refused if the tool requires tasks and the request does not declare them', async () => {
    const { methods } = open();

    const call = methods.call({ params: { name: 'never' }, ...silent, task_support: 'required' });

    await expect(call).rejects.toMatchObject(missing);
  });

  it('[B7] ignores a `task` parameter', async () => {
    const { methods } = open();
    const params = { name: 'never', task: { ttl: 'soon' } };

    const plain = await methods.call({ params, ...silent, task_support: 'optional' });
    const created = await methods.call({ params, ...declaring, task_support: 'optional' });

    expect(plain).toBeNull();
    expect(created).toMatchObject({ resultType: 'task', ttlMs: 3_600_000 });
  });

  it('[B7] has neither tasks/result nor tasks/list', () => {
    const { methods } = open();

    expect(Object.keys(methods).toSorted()).toEqual(['call', 'cancel', 'get', 'subscribe', 'update']);
  });
});

describe('tasks/* of 2026-07-28', () => {
  it('[B9] is refused without the declaration, whether the task exists or not', async () => {
    const { methods, start } = open();
    const { taskId } = await start('never');
    const all = [methods.get, methods.update, methods.cancel];

    for (const id of [taskId, 'unknown', 7]) {
      const params = { taskId: id, inputResponses: {} };
      for (const method of all) await expect(method({ params, ...silent })).rejects.toMatchObject(missing);
    }
  });

  it('[B3, B4] shows the remaining questions, takes their answers, and continues to the result', async () => {
    const { methods, request, update } = await asked();

    const ack = await update({ city: { action: 'accept', content: { city: 'Oslo' } } });
    const between = await methods.get(request);
    await update({ roots: { roots: [] } });

    expect(ack).toEqual({ resultType: 'complete' });
    expect(between).toMatchObject({ status: 'input_required', inputRequests: { roots: aQuestion('roots/list') } });
    await vi.waitFor(async () => expect(await methods.get(request)).toMatchObject({ status: 'completed' }));
  });

  async function asked() {
    const { methods, asked: begin } = open();
    return { methods, ...(await begin()) };
  }

  it('[B4] ignores answers to unknown or answered questions', async () => {
    const { methods, request, update } = await asked();
    const oslo = { action: 'accept', content: { city: 'Oslo' } };

    await update({ city: oslo });
    const acks = [await update({ city: { action: 'decline' }, unknown: {}, constructor: {} }), await update({})];
    await update({ roots: { roots: [] } });

    expect(acks).toEqual([{ resultType: 'complete' }, { resultType: 'complete' }]);
    await vi.waitFor(async () =>
      expect(await methods.get(request)).toMatchObject({ result: { structuredContent: { city: oslo } } }),
    );
  });

  it('[B4] accepts decline and cancel for every question', async () => {
    const { methods, request, update } = await asked();

    await update({ city: { action: 'decline' }, roots: { action: 'cancel' } });

    await vi.waitFor(async () => expect(await methods.get(request)).toMatchObject({ status: 'completed' }));
  });

  it.each<[unknown, string]>([
    [undefined, 'inputResponses must be an object.'],
    [[], 'inputResponses must be an object.'],
    [{ city: 'Oslo' }, 'inputResponses.city must be an object.'],
    [{ city: { action: 'perhaps' } }, 'inputResponses.city is no answer to elicitation/create.'],
    [{ city: { content: {} } }, 'inputResponses.city is no answer to elicitation/create.'],
    [{ roots: {} }, 'inputResponses.roots is no answer to roots/list.'],
  ])('[B4] refuses the answers %j, and the questions stay open', async (inputResponses, message) => {
    const { methods, request, update } = await asked();

    await expect(update(inputResponses)).rejects.toMatchObject({ name: 'RpcFailure', code: -32602, message });
    expect(await methods.get(request)).toMatchObject({ inputRequests: { city: aQuestion() } });
  });

  it('[B5, R6] acknowledges a cancellation, also of a task that has ended', async () => {
    const { methods, start } = open();
    const { request } = await start('never');

    const first = await methods.cancel(request);
    const again = await methods.cancel(request);

    expect([first, again]).toEqual([{ resultType: 'complete' }, { resultType: 'complete' }]);
    expect(await methods.get(request)).toMatchObject({ status: 'cancelled' });
  });

  it('[B4] acknowledges answers to a task that has ended', async () => {
    const { methods, request, update } = await asked();
    await methods.cancel(request);

    expect(await update({ city: { action: 'decline' } })).toEqual({ resultType: 'complete' });
  });
});

describe('subscriptions/listen of 2026-07-28', () => {
  const listenTo = (...taskIds: readonly unknown[]): JsonObject => ({
    notifications: { taskIds: taskIds as string[] },
  });

  it('[B8] accepts the ids that the requestor has, each once', async () => {
    const { tasks, methods, start } = open();
    const { taskId } = await start('never');
    const { task_id: foreign } = await tasks.create({ owner_id: 'sub:bob', tool: 'never', arguments: {} });

    const { task_ids } = await methods.subscribe({ params: listenTo(taskId, foreign, 'x', taskId), ...declaring });

    expect(task_ids).toEqual([taskId]);
  });

  it('[B8, NOTF-01] sends the task now and at every change until it ends', async () => {
    const gate = aGate();
    const { methods, start } = open({ wait: async () => gate.passed.then(() => ({ content: [] })) });
    const { taskId, request } = await start('wait');
    const sent: RpcNotification[] = [];
    const { follow } = await methods.subscribe({ params: listenTo(taskId), ...declaring });

    follow((notification) => void sent.push(notification), { 'com.example/subscription': 7 });
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    gate.open();
    await vi.waitFor(() => expect(sent).toHaveLength(2));

    const { resultType: _, ...last } = await methods.get(request);
    const meta = { 'com.example/subscription': 7 };
    expect(sent[0]).toMatchObject({
      method: 'notifications/tasks',
      params: { taskId, status: 'working', _meta: meta },
    });
    expect(sent[1]?.params).toEqual({ ...last, _meta: meta });
  });

  it('[B8] sends nothing after it is stopped', async () => {
    const { methods, tasks, start } = open();
    const { taskId, request } = await start('never');
    const sent: RpcNotification[] = [];
    const { follow } = await methods.subscribe({ params: listenTo(taskId), ...declaring });

    const stop = follow((notification) => void sent.push(notification));
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    stop();
    const seen = tasks.wait(owner_id, taskId);
    await methods.cancel(request);
    await seen;

    expect(sent).toHaveLength(1);
  });

  it('[B8, B9] is refused without the declaration only if it asks for tasks', async () => {
    const { methods } = open();

    const asking = methods.subscribe({ params: listenTo('x'), ...silent });
    const other = await methods.subscribe({ params: { notifications: { toolsListChanged: true } }, ...silent });

    await expect(asking).rejects.toMatchObject(missing);
    expect(other.task_ids).toEqual([]);
  });

  it.each([{}, { notifications: { taskIds: 'x' } }, listenTo(7)])('[B8] refuses %j', async (params) => {
    const { methods } = open();

    await expect(methods.subscribe({ params, ...declaring })).rejects.toMatchObject({ code: -32602 });
  });
});
