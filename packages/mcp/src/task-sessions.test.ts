import { describe, expect, it } from 'vitest';
import { createMemorySessions } from './memory-sessions.ts';
import { aTaskHost, type TaskHost } from './testing/a-task-host.ts';
import { a2025Request, INITIALIZE, type Message } from './testing/messages.ts';
import { type Answer, openHttp, type TestHttp } from './testing/open-http.ts';
import { listening, openStream, posted, type TestStream } from './testing/open-stream.ts';

const sessions = () => createMemorySessions<string>();

type Headers = Record<string, string>;

async function initialized(http: TestHttp, message: Message = INITIALIZE, more: Headers = {}): Promise<Headers> {
  const { headers } = await http.send(message, more);
  return { ...more, 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
}

const resultOf = ({ json }: Answer) => (json as { readonly result: Readonly<Record<string, unknown>> }).result;

async function created(http: TestHttp, name: string, session: Headers, meta: object = {}): Promise<string> {
  const answer = await http.send(a2025Request('tools/call', { name, task: {}, _meta: meta }), session);
  return (resultOf(answer).task as { readonly taskId: string }).taskId;
}

const get = (http: TestHttp, taskId: string, session: Headers) =>
  http.send(a2025Request('tasks/get', { taskId }), session);

const await2025 = (taskId: string) => a2025Request('tasks/result', { taskId }, 'result');

const respond = (http: TestHttp, taskId: string, session: Headers) =>
  http.send(
    { body: { jsonrpc: '2.0', id: `task-input:${taskId}:sure`, result: { action: 'accept' } }, headers: {} },
    session,
  );

const asked = (host: TaskHost, taskId: string) =>
  expect.poll(async () => (await host.engine.get('sub:anna', taskId)).status).toBe('input_required');

const questionsOn = (stream: TestStream) =>
  stream.messages().filter((message) => (message as { method?: string }).method === 'elicitation/create');

describe('tasks in a 2025 session', () => {
  it('[A8] ask on the standalone stream if there is one, and once', async () => {
    await using host = aTaskHost();
    await using http = await openHttp(host, { sessions: sessions() });
    const session = await initialized(http);
    const standalone = await openStream(http, listening(session));
    const taskId = await created(http, 'confirm', session);

    await asked(host, taskId);
    await get(http, taskId, session);
    const [, question] = await standalone.read(2);
    const waiting = await openStream(http, posted(await2025(taskId), session));
    await respond(http, taskId, session);
    await waiting.over;

    expect(question).toMatchObject({ id: `task-input:${taskId}:sure`, method: 'elicitation/create' });
    expect(questionsOn(standalone)).toHaveLength(1);
    expect(waiting.messages()).toMatchObject([{ id: 'result', result: { content: [{ type: 'text' }] } }]);
  });

  it('[A8] ask the client nothing before it can know its task', async () => {
    await using host = aTaskHost();
    await using http = await openHttp(host, { sessions: sessions() });
    const session = await initialized(http);
    const standalone = await openStream(http, listening(session));

    const taskId = await created(http, 'confirm', session);
    await asked(host, taskId);
    await http.send(a2025Request('ping'), session);
    const before = questionsOn(standalone);
    await get(http, taskId, session);
    await expect.poll(() => questionsOn(standalone)).toHaveLength(1);

    expect(before).toHaveLength(0);
  });

  it('[A8, A4] ask on the stream of `tasks/result` when there is no other', async () => {
    await using host = aTaskHost();
    await using http = await openHttp(host, { sessions: sessions() });
    const session = await initialized(http);
    const taskId = await created(http, 'confirm', session);

    const waiting = await openStream(http, posted(await2025(taskId), session));
    await expect.poll(() => questionsOn(waiting)).toHaveLength(1);
    await respond(http, taskId, session);
    await waiting.over;

    expect(waiting.messages().at(-1)).toMatchObject({ id: 'result', result: { content: [{ type: 'text' }] } });
  });

  it('[A8] ask again on the next stream when a stream was lost', async () => {
    await using host = aTaskHost();
    await using http = await openHttp(host, { sessions: sessions() });
    const session = await initialized(http);
    const taskId = await created(http, 'confirm', session);

    const first = await openStream(http, posted(await2025(taskId), session));
    await expect.poll(() => questionsOn(first)).toHaveLength(1);
    first.close();
    await first.over;
    const second = await openStream(http, posted(await2025(taskId), session));

    await expect.poll(() => questionsOn(second)).toHaveLength(1);
  });

  it('[A8] ask a client that resumes its stream', async () => {
    await using host = aTaskHost();
    await using http = await openHttp(host, { sessions: sessions() });
    const session = await initialized(http);
    const first = await openStream(http, listening(session));
    host.announce({ kind: 'tools' });
    await first.read(1);
    first.close();
    await first.over;

    const resumed = await openStream(http, listening({ ...session, 'last-event-id': first.lastEventId() }));
    const taskId = await created(http, 'confirm', session);
    await asked(host, taskId);
    await get(http, taskId, session);

    await expect.poll(() => questionsOn(resumed)).toHaveLength(1);
  });

  it('[A8] ask on a stream that opens after the question came up', async () => {
    await using host = aTaskHost();
    await using http = await openHttp(host, { sessions: sessions() });
    const session = await initialized(http);
    const taskId = await created(http, 'confirm', session);
    await asked(host, taskId);

    const standalone = await openStream(http, listening(session));
    await get(http, taskId, session);

    await expect.poll(() => questionsOn(standalone)).toHaveLength(1);
  });

  it('[A8] ask no client that did not declare support', async () => {
    await using host = aTaskHost();
    await using http = await openHttp(host, { sessions: sessions() });
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } };
    const session = await initialized(http, { ...INITIALIZE, body: { ...INITIALIZE.body, params } });
    const standalone = await openStream(http, listening(session));
    const taskId = await created(http, 'confirm', session);

    await get(http, taskId, session);
    await standalone.read(1);
    await respond(http, taskId, session);
    await standalone.read(3);

    expect(questionsOn(standalone)).toHaveLength(0);
  });

  it('[A10, A12, NOTF-01] send status and progress on the standalone stream', async () => {
    await using host = aTaskHost();
    await using http = await openHttp(host, { sessions: sessions() });
    const session = await initialized(http);
    const standalone = await openStream(http, listening(session));
    const taskId = await created(http, 'work', session, { progressToken: 7 });

    await get(http, taskId, session);
    await standalone.read(1);
    host.release();
    const messages_read = await standalone.read(2);

    expect(messages_read).toMatchObject([
      { method: 'notifications/progress', params: { progressToken: 7, progress: 1 } },
      { method: 'notifications/tasks/status', params: { taskId, status: 'completed' } },
    ]);
  });

  it('[A10, O2] send a session the news of its own tasks only', async () => {
    await using host = aTaskHost();
    await using http = await openHttp(host, { sessions: sessions() });
    const session = await initialized(http);
    const other = await initialized(http);
    const bob = await initialized(http, INITIALIZE, { 'x-caller': 'bob' });
    const taskId = await created(http, 'work', session);

    const streams = await Promise.all([session, other, bob].map((headers) => openStream(http, listening(headers))));
    for (const headers of [session, other, bob]) await get(http, taskId, headers);
    host.release();
    await streams[0]?.read(1);

    expect(streams.map((stream) => stream.messages().length)).toEqual([1, 0, 0]);
  });

  it('[O1, SEC-01, SEC-07] belong to the session of an anonymous requestor, if that is allowed', async () => {
    await using host = aTaskHost({ limits: { allow_anonymous: true } });
    await using http = await openHttp(host, { sessions: sessions() });
    const nobody = { 'x-caller': 'nobody' };
    const session = await initialized(http, INITIALIZE, nobody);
    const another = await initialized(http, INITIALIZE, nobody);

    const taskId = await created(http, 'work', session);
    const own = await get(http, taskId, session);
    const foreign = await get(http, taskId, another);

    expect(resultOf(own)).toMatchObject({ taskId });
    expect(foreign.json).toMatchObject({ error: { code: -32602 } });
  });

  it('[A4] let a client that lost its stream fetch the result by its last event id', async () => {
    await using host = aTaskHost();
    await using http = await openHttp(host, { sessions: sessions() });
    const session = await initialized(http);
    const taskId = await created(http, 'work', session, { progressToken: 1 });
    const waiting = await openStream(http, posted(await2025(taskId), session));
    await waiting.read(1);

    waiting.close();
    await waiting.over;
    host.release();
    const resumed = await openStream(http, listening({ ...session, 'last-event-id': waiting.lastEventId() }));
    await resumed.over;

    expect(resumed.messages().at(-1)).toMatchObject({ id: 'result', result: { content: [{ text: 'worked' }] } });
  });
});
