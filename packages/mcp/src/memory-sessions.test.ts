import { describe, expect, it } from 'vitest';
import { createMemorySessions } from './memory-sessions.ts';
import { aHost } from './testing/a-host.ts';
import { a2025Request, INITIALIZE } from './testing/messages.ts';
import { openHttp, type TestHttp } from './testing/open-http.ts';
import { listening, openStream, posted } from './testing/open-stream.ts';

const sessions = () => createMemorySessions<string>();

async function initialized(http: TestHttp): Promise<Record<string, string>> {
  const { headers } = await http.send(INITIALIZE);
  return { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
}

describe('2025 sessions', () => {
  it('[M4.1] begin with initialize and end with DELETE', async () => {
    await using http = await openHttp(aHost(), { sessions: sessions() });
    const session = await initialized(http);

    const during = await http.send(a2025Request('ping'), session);
    const ended = await http.fetch({ method: 'DELETE', headers: session });
    const after = await http.send(a2025Request('ping'), session);

    expect([during.status, ended.status, after.status]).toEqual([200, 204, 404]);
  });

  it('[M4.1] are needed for everything but initialize', async () => {
    await using http = await openHttp(aHost(), { sessions: sessions() });

    const answers = [
      await http.send(a2025Request('ping')),
      await http.send({ body: { jsonrpc: '2.0', method: 'notifications/initialized' }, headers: {} }),
      await http.fetch(listening({})),
      await http.fetch({ method: 'DELETE' }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
  });

  it('[M4.2] are found only by their owner', async () => {
    await using http = await openHttp(aHost(), { sessions: sessions() });
    const stolen = { ...(await initialized(http)), 'x-caller': 'bob' };

    const answers = [
      await http.send(a2025Request('ping'), stolen),
      await http.fetch(listening(stolen)),
      await http.fetch({ method: 'DELETE', headers: stolen }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  });

  it('[M4.3, M6.1] carry a question on the stream of the call, and take the answer from another request', async () => {
    await using http = await openHttp(aHost(), { sessions: sessions() });
    const session = await initialized(http);
    const stream = await openStream(http, posted(a2025Request('tools/call', { name: 'ask' }), session));

    const [question] = await stream.read(1);
    const { id } = question as { id: string };
    const result = { action: 'accept', content: {} };
    const taken = await http.send({ body: { jsonrpc: '2.0', id, result }, headers: {} }, session);
    const [, answer] = await stream.read(2);

    expect(taken.status).toBe(202);
    expect(question).toMatchObject({ method: 'elicitation/create', params: { message: 'Who?' } });
    expect(answer).toMatchObject({ id: 1, result: { structuredContent: { name: result, request_state: 'asked' } } });
  });

  it('[M4.3] accept no answer from another session', async () => {
    await using http = await openHttp(aHost(), { sessions: sessions() });
    const session = await initialized(http);
    const other = await initialized(http);
    const stream = await openStream(http, posted(a2025Request('tools/call', { name: 'ask' }), session));
    const [question] = await stream.read(1);
    const { id } = question as { id: string };

    await http.send({ body: { jsonrpc: '2.0', id, result: { action: 'forged' } }, headers: {} }, other);
    await http.send({ body: { jsonrpc: '2.0', id, result: { action: 'accept' } }, headers: {} }, session);

    const [, answer] = await stream.read(2);
    expect(JSON.stringify(answer)).not.toContain('forged');
  });

  it('[M4.4] resume a stream exactly where it broke', async () => {
    await using http = await openHttp(aHost(), { sessions: sessions() });
    const session = await initialized(http);
    const broken = await openStream(http, posted(a2025Request('tools/call', { name: 'ask' }), session));
    const [question] = await broken.read(1);
    broken.close();
    await broken.over;

    const { id } = question as { id: string };
    await http.send({ body: { jsonrpc: '2.0', id, result: { action: 'accept' } }, headers: {} }, session);
    const resumed = await openStream(http, listening({ ...session, 'last-event-id': broken.lastEventId() }));

    expect(await resumed.read(1)).toMatchObject([{ id: 1, result: {} }]);
    await resumed.over;
  });

  it('[M4.4] refuse to resume an unknown stream', async () => {
    await using http = await openHttp(aHost(), { sessions: sessions() });
    const session = await initialized(http);

    const answer = await http.fetch(listening({ ...session, 'last-event-id': 'no-such-stream_1' }));

    expect(answer.status).toBe(400);
  });

  it('[M9.4] forget the oldest stream that no client reads when there are too many', async () => {
    const { store, log } = sessions();
    const facts = {
      protocol_version: '2025-11-25',
      client_capabilities: {},
      client: null,
      log_level: null,
      subscriptions: [],
    };
    const { session_id = '' } = (await store.open('anna', facts)) ?? {};
    const isKnown = (after: string) => log.follow(session_id, { after }, () => undefined)?.stop() !== undefined;
    log.follow(session_id, { stream_id: 'read' }, () => undefined);

    for (let i = 1; i <= 100; i += 1) await log.append(session_id, `s${i}`, { message: '{}', last: true });

    expect(['read_0', 's1_1', 's2_1', 's100_1'].map(isKnown)).toEqual([true, false, true, true]);
  });

  it('[M10.12] know the client from the request or from initialize', async () => {
    const clients: unknown[] = [];
    const tools = {
      list: () => [],
      call: async (_name: string, _args: object, { client }: { readonly client: unknown }) => {
        clients.push(client);
        return { kind: 'content', content: [] } as const;
      },
    };
    await using http = await openHttp(aHost({ tools }), { sessions: sessions() });
    const session = await initialized(http);

    await http.send(a2025Request('tools/call', { name: 'x' }), session);
    const _meta = { 'io.modelcontextprotocol/clientInfo': { name: 'other', title: 'Other', version: '2' } };
    await http.send(a2025Request('tools/call', { name: 'x', _meta }), session);

    expect(clients).toEqual([
      { name: 'tester', title: 'tester', version: '1' },
      { name: 'other', title: 'Other', version: '2' },
    ]);
  });

  it('[M4.5] cancel a call by its id, and only in their own session', async () => {
    const host = aHost();
    await using http = await openHttp(host, { sessions: sessions() });
    const [session, other] = [await initialized(http), await initialized(http)];
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } };
    const call = http.send(a2025Request('tools/call', { name: 'wait', arguments: { ms: 400 } }, 7), other);
    const cancelled = http.send(a2025Request('tools/call', { name: 'wait' }, 7), session);
    await expect.poll(() => host.begun()).toBe(2);

    await http.send({ body: cancel, headers: {} }, session);

    expect((await cancelled).json).toEqual([]);
    expect((await call).json).toMatchObject({ id: 7, result: {} });
    expect([host.aborted(), host.finished()]).toEqual([1, 1]);
  });

  it('[M5.4] send changes on the GET stream, of resources only those subscribed to', async () => {
    const host = aHost({
      resources: { list: () => [], templates: () => [], read: () => undefined },
    });
    await using http = await openHttp(host, { sessions: sessions() });
    const session = await initialized(http);
    const stream = await openStream(http, listening(session));

    await http.send(a2025Request('resources/subscribe', { uri: 'test:a' }), session);
    host.announce({ kind: 'resource', uri: 'test:b' });
    host.announce({ kind: 'resource', uri: 'test:a' });
    await stream.read(1);
    await http.send(a2025Request('resources/unsubscribe', { uri: 'test:a' }), session);
    host.announce({ kind: 'resource', uri: 'test:a' });
    host.announce({ kind: 'tools' });

    expect(await stream.read(2)).toEqual([
      { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: 'test:a' } },
      { jsonrpc: '2.0', method: 'notifications/tools/list_changed' },
    ]);
  });

  it('[M4.6] keep one GET stream each: a new one ends the old', async () => {
    const host = aHost();
    await using http = await openHttp(host, { sessions: sessions() });
    const session = await initialized(http);
    const old = await openStream(http, listening(session));

    const fresh = await openStream(http, listening(session));
    await old.over;
    host.announce({ kind: 'tools' });

    expect(await fresh.read(1)).toHaveLength(1);
    expect(await old.read(0)).toEqual([]);
  });

  it('[M5.5] end their streams when the server stops', async () => {
    await using http = await openHttp(aHost(), { sessions: sessions() });
    const stream = await openStream(http, listening(await initialized(http)));

    http.close();

    await expect(stream.over).resolves.toBeUndefined();
  });

  it('are offered changes and subscriptions; a server without sessions offers neither', async () => {
    const resources = { list: () => [], templates: () => [], read: () => undefined };
    await using remembering = await openHttp(aHost({ resources }), { sessions: sessions() });
    await using forgetful = await openHttp(aHost({ resources }));

    const [kept, not] = [await remembering.send(INITIALIZE), await forgetful.send(INITIALIZE)];

    const subscribing = { resources: { subscribe: true, listChanged: true }, tools: { listChanged: true } };
    expect(kept.json).toMatchObject({ result: { capabilities: subscribing } });
    expect(not.json).toMatchObject({ result: { capabilities: { resources: {}, tools: {} } } });
    expect(JSON.stringify(not.json)).not.toContain('listChanged');
  });
});
