import { describe, expect, it } from 'vitest';
import { aTaskHost } from './testing/a-task-host.ts';
import { a2025Request, INITIALIZE, type Message } from './testing/messages.ts';
import { type Answer, codeOf, openHttp, type TestHttp } from './testing/open-http.ts';
import { openStream, posted } from './testing/open-stream.ts';

const call = (name: string, more: object = { task: {} }): Message => a2025Request('tools/call', { name, ...more });

const resultOf = ({ json }: Answer) => (json as { readonly result: Readonly<Record<string, unknown>> }).result;

async function created(http: TestHttp, name: string, more?: object): Promise<string> {
  const { task } = resultOf(await http.send(call(name, more))) as { readonly task: { readonly taskId: string } };
  return task.taskId;
}

const initialize = (protocolVersion: string): Message => ({
  ...INITIALIZE,
  body: { ...INITIALIZE.body, params: { protocolVersion, capabilities: {}, clientInfo: { name: 'a', version: '1' } } },
});

const FULL = { list: {}, cancel: {}, requests: { tools: { call: {} } } };

describe('tasks of 2025', () => {
  it('[A9, INTG-01, SPEC-02] are declared to 2025-11-25 and to no version before it', async () => {
    await using host = aTaskHost();
    await using http = await openHttp(host);

    const now = resultOf(await http.send(initialize('2025-11-25')));
    const before = resultOf(await http.send(initialize('2025-06-18')));

    expect(now).toMatchObject({ capabilities: { tasks: FULL, experimental: { tasks: FULL } } });
    expect(before).not.toHaveProperty('capabilities.tasks');
    expect(before).not.toHaveProperty('capabilities.experimental');
  });

  it('[A9, INTG-02, TYPE-08] are declared by tools in lists of 2025-11-25 alone', async () => {
    await using host = aTaskHost();
    await using http = await openHttp(host);

    const now = await http.send(a2025Request('tools/list'));
    const before = await http.send(a2025Request('tools/list'), { 'mcp-protocol-version': '2025-06-18' });

    const { tools } = resultOf(now) as { readonly tools: readonly { name: string; execution?: unknown }[] };
    expect(Object.fromEntries(tools.map(({ name, execution }) => [name, execution]))).toEqual({
      echo: undefined,
      work: { taskSupport: 'optional' },
      confirm: { taskSupport: 'optional' },
      must: { taskSupport: 'required' },
      greet: { taskSupport: 'required' },
    });
    expect(before.text).not.toContain('taskSupport');
  });

  it('[INTG-10] are reached by their four methods, and by no other', async () => {
    await using host = aTaskHost();
    await using http = await openHttp(host);
    const taskId = await created(http, 'work');
    const ask = async (method: string, params: Readonly<Record<string, unknown>>) =>
      (await http.send(a2025Request(method, params))).json;

    const got = await ask('tasks/get', { taskId });
    const listed = await ask('tasks/list', {});
    const cancelled = await ask('tasks/cancel', { taskId });
    const ended = await ask('tasks/result', { taskId: await created(http, 'greet') });
    const updated = await ask('tasks/update', { taskId, inputResponses: {} });

    expect(got).toMatchObject({ result: { taskId } });
    expect(listed).toMatchObject({ result: { tasks: [{ taskId }] } });
    expect(ended).toMatchObject({ result: { content: [{}] } });
    expect(cancelled).toMatchObject({ result: { status: 'cancelled' } });
    expect(updated).toMatchObject({ error: { code: -32_601 } });
  });

  it('[O1, SEC-07] are not declared to a requestor that can have no tasks, and its `task` is ignored', async () => {
    await using host = aTaskHost();
    await using http = await openHttp(host);
    const nobody = { 'x-caller': 'nobody' };

    const opened = resultOf(await http.send(INITIALIZE, nobody));
    const plain = await http.send(call('work'), nobody);
    const required = await http.send(call('must'), nobody);
    const got = await http.send(a2025Request('tasks/get', { taskId: 'a' }), nobody);

    expect(opened).not.toHaveProperty('capabilities.tasks');
    expect(resultOf(plain)).toEqual({ content: [{ type: 'text', text: 'at once' }] });
    expect([codeOf(required), codeOf(got)]).toEqual([-32601, -32602]);
  });

  it('[A2, R1, INTG-03, INTG-04, SPEC-03] are created for calls with `task` while the work runs', async () => {
    await using host = aTaskHost();
    await using http = await openHttp(host);

    const answer = await http.send(call('work', { task: { ttl: 5_000 } }));
    const { task } = resultOf(answer) as { readonly task: { readonly taskId: string } };
    const got = await http.send(a2025Request('tasks/get', { taskId: task.taskId }));

    expect(task).toMatchObject({ status: 'working', ttl: 5_000 });
    expect(resultOf(got)).toMatchObject({ taskId: task.taskId, status: 'working' });
  });

  it('[A11, INTG-12] give the model an immediate response', async () => {
    await using host = aTaskHost();
    await using http = await openHttp(host);

    const answer = await http.send(call('work'));

    expect(resultOf(answer)).toHaveProperty(
      ['_meta', 'io.modelcontextprotocol/model-immediate-response'],
      'It has begun.',
    );
  });

  it('[A2] are refused if the tool forbids them, and required if the tool requires them', async () => {
    await using host = aTaskHost();
    await using http = await openHttp(host);

    const forbidden = await http.send(call('echo'));
    const missing = await http.send(call('must', {}));
    const unknown = await http.send(call('nothing'));
    const old = await http.send(call('must'), { 'mcp-protocol-version': '2025-06-18' });

    expect([forbidden, missing, unknown, old].map(codeOf)).toEqual([-32601, -32601, -32602, -32601]);
  });

  it('[A2] are not created for calls without `task`, nor for clients of earlier versions', async () => {
    await using host = aTaskHost();
    await using http = await openHttp(host);

    const before = { 'mcp-protocol-version': '2025-06-18' };

    const plain = await http.send(call('work', {}));
    const old = await http.send(call('work'), before);
    const unknown = await http.send(a2025Request('tasks/list'), before);

    const atOnce = { content: [{ type: 'text', text: 'at once' }] };
    expect([resultOf(plain), resultOf(old)]).toEqual([atOnce, atOnce]);
    expect(codeOf(unknown)).toBe(-32601);
  });

  it('[A4, A7, INTG-06] answer their result when they have ended, with the related task', async () => {
    await using host = aTaskHost();
    await using http = await openHttp(host);
    const taskId = await created(http, 'work');

    const waiting = http.send(a2025Request('tasks/result', { taskId }));
    host.release();
    const failed = await http.send(a2025Request('tasks/result', { taskId: await created(http, 'must') }));

    const { json } = await waiting;
    expect([json].flat().at(-1)).toMatchObject({
      result: {
        content: [{ text: 'worked' }],
        _meta: { 'io.modelcontextprotocol/related-task': { taskId } },
      },
    });
    expect(resultOf(failed)).toMatchObject({ content: [{ text: 'did not' }], isError: true });
  });

  it('[A5, A6, INTG-05, INTG-07, INTG-08] are listed and cancelled', async () => {
    await using host = aTaskHost();
    await using http = await openHttp(host);
    const taskId = await created(http, 'work');

    const listed = await http.send(a2025Request('tasks/list'));
    const cancelled = await http.send(a2025Request('tasks/cancel', { taskId }));
    const again = await http.send(a2025Request('tasks/cancel', { taskId }));

    expect(resultOf(listed)).toMatchObject({ tasks: [{ taskId, status: 'working' }] });
    expect(resultOf(cancelled)).toMatchObject({ taskId, status: 'cancelled' });
    expect(codeOf(again)).toBe(-32602);
  });

  it('[A12, INTG-11, ADVS-02] send progress with the token of the call that created them', async () => {
    await using host = aTaskHost();
    await using http = await openHttp(host);
    const taskId = await created(http, 'work', { task: {}, _meta: { progressToken: 'p' } });

    const waiting = await openStream(http, posted(a2025Request('tasks/result', { taskId })));
    const [notification] = await waiting.read(1);
    host.release();
    const [, , answer] = await waiting.read(3);

    expect(answer).toMatchObject({ result: { content: [{ text: 'worked' }] } });
    expect(notification).toMatchObject({
      method: 'notifications/progress',
      params: { progressToken: 'p', progress: 1, total: 2, message: 'half way' },
    });
  });

  it('[R6] continue when the waiting client disconnects', async () => {
    await using host = aTaskHost();
    await using http = await openHttp(host);
    const taskId = await created(http, 'work');
    const gone = new AbortController();

    const { body, headers } = a2025Request('tasks/result', { taskId });
    const waiting = fetch(http.url, { method: 'POST', body: JSON.stringify(body), headers, signal: gone.signal });
    await expect.poll(async () => (await host.engine.get('sub:anna', taskId)).progress).not.toBeNull();
    gone.abort();
    await waiting.catch(() => undefined);
    host.release();

    await expect.poll(async () => (await host.engine.get('sub:anna', taskId)).status).toBe('completed');
  });

  it('[A4] answer waiting clients when the server closes, and continue', async () => {
    await using host = aTaskHost();
    await using http = await openHttp(host);
    const taskId = await created(http, 'work', { task: {}, _meta: { progressToken: 1 } });
    const waiting = await openStream(http, posted(a2025Request('tasks/result', { taskId })));
    await waiting.read(1);

    http.close();
    const [, answer] = await waiting.read(2);

    expect(answer).toMatchObject({
      error: { code: -32603, message: expect.stringContaining('Ask for the result again') },
    });
    expect((await host.engine.get('sub:anna', taskId)).status).toBe('working');
  });

  it('[O2, SEC-02] do not exist for anyone else', async () => {
    await using host = aTaskHost();
    await using http = await openHttp(host);
    const taskId = await created(http, 'work');
    const bob = { 'x-caller': 'bob' };

    for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel']) {
      const foreign = await http.send(a2025Request(method, { taskId }), bob);
      const unknown = await http.send(a2025Request(method, { taskId: crypto.randomUUID() }), bob);
      expect(foreign.text).toBe(unknown.text);
    }
    expect(resultOf(await http.send(a2025Request('tasks/list'), bob))).toEqual({ tasks: [] });
  });

  it('[A8] accept an answer without a session from their owner only', async () => {
    await using host = aTaskHost();
    await using http = await openHttp(host);
    const taskId = await created(http, 'confirm');
    const id = `task-input:${taskId}:sure`;
    const respond = (content: object, caller: string) =>
      http.send(
        { body: { jsonrpc: '2.0', id, result: { action: 'accept', content } }, headers: {} },
        { 'x-caller': caller },
      );

    await expect.poll(async () => (await host.engine.get('sub:anna', taskId)).status).toBe('input_required');
    const unknown = await respond({ by: 'nobody' }, 'nobody');
    const foreign = await respond({ by: 'bob' }, 'bob');
    const own = await respond({ by: 'anna' }, 'anna');
    const { outcome } = await host.engine.wait('sub:anna', taskId);

    expect([unknown.status, foreign.status, own.status]).toEqual([202, 202, 202]);
    expect(http.reported).toEqual([]);
    expect(JSON.stringify(outcome)).toContain('anna');
  });

  it('are unknown methods when the host has no tasks', async () => {
    const { tasks: _, ...host } = aTaskHost();
    await using http = await openHttp(host);

    const answers = await Promise.all(
      ['tasks/get', 'tasks/result', 'tasks/list', 'tasks/cancel'].map((method) =>
        http.send(a2025Request(method, { taskId: 'a' })),
      ),
    );

    await host.engine.close();
    expect(answers.map(codeOf)).toEqual([-32601, -32601, -32601, -32601]);
  });
});
