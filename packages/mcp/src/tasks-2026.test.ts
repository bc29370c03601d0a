import type { Tasks } from '@errand/tasks';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from './json.ts';
import { aHost } from './testing/a-host.ts';
import { aTaskHost } from './testing/a-task-host.ts';
import { a2025Request, a2026Request, type Message, WITH_TASKS } from './testing/messages.ts';
import { type Answer, codeOf, openHttp, type TestHttp } from './testing/open-http.ts';
import { openStream, posted } from './testing/open-stream.ts';

const request = (method: string, params: JsonObject = {}): Message => a2026Request(method, params, WITH_TASKS);

const resultOf = ({ json }: Answer) => (json as { readonly result: Readonly<Record<string, unknown>> }).result;

const created = async (http: TestHttp, name: string): Promise<string> =>
  String(resultOf(await http.send(request('tools/call', { name }))).taskId);

const METHODS = ['tasks/get', 'tasks/update', 'tasks/cancel'];
const taskParams = (taskId: string): JsonObject => ({ taskId, inputResponses: {} });

describe('tasks of 2026', () => {
  it('[B1] are declared as an extension, and not as in 2025', async () => {
    await using host = aTaskHost();
    await using http = await openHttp(host);

    const { capabilities } = resultOf(await http.send(request('server/discover')));
    const { text: list } = await http.send(request('tools/list'));

    expect(capabilities).toMatchObject({ extensions: { 'io.modelcontextprotocol/tasks': {} } });
    expect(capabilities).not.toHaveProperty('tasks');
    expect(list).not.toContain('taskSupport');
  });

  it('[B8, R11] end a listener with the server, also while its tasks are being looked up', async () => {
    await using host = aTaskHost();
    const asked = Promise.withResolvers<void>();
    const found = Promise.withResolvers<void>();
    const { tasks: part } = host;
    if (part === undefined) throw new Error('This host has tasks.');
    const slow: Tasks = {
      ...host.engine,
      get: async (...args) => {
        asked.resolve();
        await found.promise;
        return await host.engine.get(...args);
      },
    };
    await using http = await openHttp({ ...host, tasks: { ...part, tasksOf: () => slow } });
    const { task_id } = await host.engine.create({ owner_id: 'sub:anna', tool: 'work', arguments: {} });

    const listening = http.send(request('subscriptions/listen', { notifications: { taskIds: [task_id] } }));
    await asked.promise;
    http.close();
    found.resolve();

    const { json } = await listening;
    expect(json).toContainEqual(
      expect.objectContaining({ result: expect.objectContaining({ resultType: 'complete' }) }),
    );
  });

  it('[B2, R1] are created for clients that declare the extension', async () => {
    await using host = aTaskHost();
    await using http = await openHttp(host);

    const made = await http.send(request('tools/call', { name: 'work' }));
    const plain = await http.send(a2026Request('tools/call', { name: 'work' }));
    const ignored = await http.send(a2026Request('tools/call', { name: 'work', task: {} }));

    expect(resultOf(made)).toMatchObject({ resultType: 'task', status: 'working' });
    expect(resultOf(made)).toHaveProperty(['_meta', 'io.modelcontextprotocol/serverInfo', 'name'], 'test');
    for (const answer of [plain, ignored]) expect(resultOf(answer)).toMatchObject({ content: [{ text: 'at once' }] });
  });

  it('[B2, B9] are refused with 400 to clients that do not declare tasks', async () => {
    await using host = aTaskHost();
    await using http = await openHttp(host);

    const answers = [
      await http.send(a2026Request('tools/call', { name: 'must' })),
      ...(await Promise.all(METHODS.map((method) => http.send(a2026Request(method, taskParams('a')))))),
      await http.send(a2026Request('subscriptions/listen', { notifications: { taskIds: ['a'] } })),
    ];

    expect(answers.map(codeOf)).toEqual([-32021, -32021, -32021, -32021, -32021]);
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
    expect(answers[0]?.json).toHaveProperty(
      ['error', 'data', 'requiredCapabilities', 'extensions', 'io.modelcontextprotocol/tasks'],
      {},
    );
  });

  it('[B7] have no result, no list and no method that the host lacks', async () => {
    await using host = aTaskHost();
    await using http = await openHttp(host);
    await using without = await openHttp(aHost());

    const answers = [
      await http.send(request('tasks/result', { taskId: 'a' })),
      await http.send(request('tasks/list')),
      await without.send(request('tasks/get', { taskId: 'a' })),
    ];

    expect(answers.map(codeOf)).toEqual([-32601, -32601, -32601]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  });

  it('[B3, B6] carry their result, also of a tool that failed', async () => {
    await using host = aTaskHost();
    await using http = await openHttp(host);
    const taskId = await created(http, 'must');

    await host.engine.wait('sub:anna', taskId);
    const got = await http.send(request('tasks/get', { taskId }));

    expect(resultOf(got)).toMatchObject({
      resultType: 'complete',
      status: 'completed',
      result: { resultType: 'complete', content: [{ text: 'did not' }], isError: true },
    });
  });

  it('[B4, C2] take answers, and acknowledge', async () => {
    await using host = aTaskHost();
    await using http = await openHttp(host);
    const taskId = await created(http, 'confirm');
    await expect.poll(async () => (await host.engine.get('sub:anna', taskId)).status).toBe('input_required');

    const asked = await http.send(request('tasks/get', { taskId }));
    const inputResponses = { sure: { action: 'accept', content: {} }, other: { action: 'accept' } };
    const updated = await http.send(request('tasks/update', { taskId, inputResponses }));
    const { outcome } = await host.engine.wait('sub:anna', taskId);

    expect(resultOf(asked)).toMatchObject({ inputRequests: { sure: { method: 'elicitation/create' } } });
    expect(resultOf(updated)).toMatchObject({ resultType: 'complete' });
    expect(outcome).toMatchObject({ kind: 'result' });
  });

  it('[B5] are cancelled, also when they have ended', async () => {
    await using host = aTaskHost();
    await using http = await openHttp(host);
    const taskId = await created(http, 'work');

    const first = await http.send(request('tasks/cancel', { taskId }));
    const second = await http.send(request('tasks/cancel', { taskId }));

    expect(resultOf(first)).toEqual(resultOf(second));
    expect((await host.engine.get('sub:anna', taskId)).status).toBe('cancelled');
  });

  it('[B1] are named in the header as in the body', async () => {
    await using host = aTaskHost();
    await using http = await openHttp(host);
    const taskId = await created(http, 'work');

    const wrong = await Promise.all(
      METHODS.map((method) => http.send(request(method, taskParams(taskId)), { 'mcp-name': 'another' })),
    );

    expect(wrong.map(codeOf)).toEqual([-32020, -32020, -32020]);
    expect(wrong.map(({ status }) => status)).toEqual([400, 400, 400]);
  });

  it('[B2] start after a round of questions, with the answer', async () => {
    await using host = aTaskHost();
    await using http = await openHttp(host);

    const first = await http.send(request('tools/call', { name: 'greet' }));
    const retry = { name: 'greet', inputResponses: { name: { action: 'accept' } }, requestState: 'asked' };
    const { taskId } = resultOf(await http.send(request('tools/call', retry)));
    const { outcome } = await host.engine.wait('sub:anna', String(taskId));

    expect(resultOf(first)).toMatchObject({ resultType: 'input_required', requestState: 'asked' });
    expect(JSON.stringify(outcome)).toContain('accept');
  });

  it.each([
    ['', {}],
    [' where the host tells of no other changes', { changes: undefined }],
  ])('[B8, NOTF-01] tell a listener of every change of those it owns%s', async (_where, overrides) => {
    await using host = aTaskHost(overrides as object);
    await using http = await openHttp(host);
    const taskId = await created(http, 'work');
    const foreign = String(
      resultOf(await http.send(request('tools/call', { name: 'work' }), { 'x-caller': 'bob' })).taskId,
    );
    const taskIds = [taskId, foreign, crypto.randomUUID()];

    const stream = await openStream(http, posted(request('subscriptions/listen', { notifications: { taskIds } })));
    await expect.poll(() => stream.messages()).not.toHaveLength(0);
    host.release();
    await expect.poll(() => JSON.stringify(stream.messages())).toContain('"completed"');
    stream.close();

    const heard = stream.messages();
    expect(heard[0]).toMatchObject({
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { taskIds: [taskId] } },
    });
    expect(heard.at(-1)).toMatchObject({
      method: 'notifications/tasks',
      params: {
        taskId,
        status: 'completed',
        result: { content: [{ text: 'worked' }] },
        _meta: { 'io.modelcontextprotocol/subscriptionId': 1 },
      },
    });
    expect(JSON.stringify(heard)).not.toContain(foreign);
  });

  it('[O2, SEC-02] do not exist for anyone else', async () => {
    await using host = aTaskHost();
    await using http = await openHttp(host);
    const taskId = await created(http, 'work');

    for (const method of METHODS) {
      const foreign = await http.send(request(method, taskParams(taskId)), { 'x-caller': 'bob' });
      const unknown = await http.send(request(method, taskParams(crypto.randomUUID())), { 'x-caller': 'bob' });
      expect([codeOf(foreign), foreign.text]).toEqual([-32602, unknown.text]);
    }
  });

  it('[O1] are the same in both generations', async () => {
    await using host = aTaskHost();
    await using http = await openHttp(host);
    const taskId = await created(http, 'work');

    const cancelled = await http.send(a2025Request('tasks/cancel', { taskId }));
    const got = await http.send(request('tasks/get', { taskId }));

    expect(resultOf(cancelled)).toMatchObject({ status: 'cancelled' });
    expect(resultOf(got)).toMatchObject({ status: 'cancelled' });
  });
});
