import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { aHost } from '#testing/a-host';
import { a2025Request, a2026Request } from '#testing/messages';
import { codeOf, messagesIn, openHttp } from '#testing/open-http';

const echo = { name: 'echo', arguments: { a: 1 } };

describe('mcp over http, in a stream', () => {
  it('[M3.1] answers as one event to a client that reads only streams', async () => {
    await using http = await openHttp(aHost());

    const answer = await http.send(a2025Request('tools/call', echo), { accept: 'text/event-stream' });

    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    expect(answer.json).toMatchObject([{ id: 1, result: { structuredContent: { a: 1 } } }]);
  });

  it('[M5.1] sends progress and logs before the answer, as far as the client wants them', async () => {
    await using http = await openHttp(aHost());
    const wishes = { progressToken: 'p', 'io.modelcontextprotocol/logLevel': 'info' };

    const streamed = await http.send(a2026Request('tools/call', { name: 'tell' }, wishes));
    const quiet = await http.send(a2026Request('tools/call', { name: 'tell' }));

    expect(streamed.json).toMatchObject([
      { method: 'notifications/progress', params: { progressToken: 'p', progress: 1, total: 2 } },
      { method: 'notifications/message', params: { level: 'info', data: 'half way' } },
      { id: 1, result: { content: [{ text: 'streamed' }] } },
    ]);
    expect(quiet.json).toMatchObject({ id: 1, result: { content: [{ text: 'streamed' }] } });
  });

  it('[M5.1] sends nothing before the answer to a client that reads only JSON', async () => {
    await using http = await openHttp(aHost());

    const answer = await http.send(a2026Request('tools/call', { name: 'tell' }, { progressToken: 1 }), {
      accept: 'application/json',
    });

    expect(answer.json).toMatchObject({ id: 1, result: { content: [{ text: 'streamed' }] } });
  });

  it('[M6.1] asks a 2026 client within the result, and continues with its answer', async () => {
    await using http = await openHttp(aHost());
    const able = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } };

    const first = await http.send(a2026Request('tools/call', { name: 'ask' }, able));
    const retry = { name: 'ask', inputResponses: { name: { action: 'accept' } }, requestState: 'asked' };
    const second = await http.send(a2026Request('tools/call', retry, able));

    expect(first.json).toMatchObject({
      result: {
        resultType: 'input_required',
        requestState: 'asked',
        inputRequests: { name: { method: 'elicitation/create' } },
      },
    });
    expect(second.json).toMatchObject({
      result: { resultType: 'complete', structuredContent: { name: { action: 'accept' }, request_state: 'asked' } },
    });
  });

  it('[M5.3] treats a closed stream as a cancelled call in 2026, and not in 2025', async () => {
    const host = aHost();
    await using http = await openHttp(host);

    for (const make of [a2026Request, a2025Request]) {
      const { body, headers } = make('tools/call', { name: 'wait', arguments: { ms: 300 } });
      const leaving = new AbortController();
      const init = { method: 'POST', body: JSON.stringify(body), signal: leaving.signal };
      const gone = http
        .fetch({ ...init, headers: { 'content-type': 'application/json', ...headers } })
        .catch(() => 'gone');
      setTimeout(() => leaving.abort(), 100);
      expect(await gone).toBe('gone');
    }

    await expect.poll(() => [host.aborted(), host.finished()]).toEqual([1, 1]);
  });

  it('[M5.4, M5.5] sends a listener the requested changes, and ends with a result when the server stops', async () => {
    const host = aHost();
    await using http = await openHttp(host);
    const notifications = { toolsListChanged: true, promptsListChanged: true };
    const { body, headers } = a2026Request('subscriptions/listen', { notifications });

    const response = await http.fetch({
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...headers },
    });
    await expect.poll(() => response.status).toBe(200);
    host.announce({ kind: 'resource', uri: 'a:b' });
    host.announce({ kind: 'tools' });
    http.close();

    const meta = { 'io.modelcontextprotocol/subscriptionId': 1 };
    expect(messagesIn(await response.text())).toMatchObject([
      {
        method: 'notifications/subscriptions/acknowledged',
        params: { _meta: meta, notifications: { toolsListChanged: true } },
      },
      { method: 'notifications/tools/list_changed', params: { _meta: meta } },
      { id: 1, result: { resultType: 'complete', _meta: meta } },
    ]);
  });

  it('[M5.2] cuts off a listener that does not read', async () => {
    const host = aHost({ resources: { list: () => [], templates: () => [], read: () => undefined } });
    await using http = await openHttp(host);
    const uri = 'x'.repeat(64 * 1024);
    const { body, headers } = a2026Request('subscriptions/listen', { notifications: { resourceSubscriptions: [uri] } });
    const listener = request(http.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...headers },
    });
    listener.on('error', () => undefined);
    listener.end(JSON.stringify(body));
    await expect.poll(() => host.listening()).toBe(1);

    for (let i = 0; i < 400; i += 1) host.announce({ kind: 'resource', uri });

    await expect.poll(() => host.listening()).toBe(0);
    listener.destroy();
  });

  it('[M1.3] puts an answer with line breaks into one event', async () => {
    const tools = {
      list: () => [],
      call: async () => ({ kind: 'json', json: '{\n  "a": 1\n}', failed: false }) as const,
    };
    await using http = await openHttp(aHost({ tools }));

    const answer = await http.send(a2025Request('tools/call', echo), { accept: 'text/event-stream' });

    expect(answer.json).toMatchObject([{ result: { structuredContent: { a: 1 } } }]);
  });

  it('has no listening without changes, and refuses to listen without a stream', async () => {
    const { changes, ...still } = aHost();
    await using http = await openHttp(still);
    await using changing = await openHttp(aHost());
    const listen = a2026Request('subscriptions/listen', { notifications: {} });

    expect((await http.send(listen)).status).toBe(404);
    expect(codeOf(await changing.send(listen, { accept: 'application/json' }))).toBe(-32600);
  });
});
