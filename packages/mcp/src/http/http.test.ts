import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#json';
import { aHost } from '#testing/a-host';
import { a2025Request, a2026Request, INITIALIZE, VERSION } from '#testing/messages';
import { codeOf, openHttp } from '#testing/open-http';
import { acceptsOf } from './accepts.ts';

const echo = { name: 'echo', arguments: { a: 1 } };

describe('mcp over http', () => {
  it('[M3.1] answers a 2025 call in one JSON document', async () => {
    await using http = await openHttp(aHost());

    const answer = await http.send(a2025Request('tools/call', echo));

    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.headers.get('content-length')).toBe(String(answer.text.length));
    expect(answer.text).toBe(
      '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\\"a\\":1}"}],"structuredContent":{"a":1}}}',
    );
  });

  it('[M3.1] answers a 2026 call with its result type and the server’s name', async () => {
    await using http = await openHttp(aHost());

    const answer = await http.send(a2026Request('tools/call', echo));

    expect(answer.json).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: {
        resultType: 'complete',
        _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'test', version: '1.2.3' } },
        content: [{ type: 'text', text: '{"a":1}' }],
        structuredContent: { a: 1 },
      },
    });
  });

  it('marks a failed call in both generations', async () => {
    await using http = await openHttp(aHost());

    const answers = [
      await http.send(a2025Request('tools/call', { name: 'fail' })),
      await http.send(a2026Request('tools/call', { name: 'fail' })),
    ];

    for (const { json } of answers) {
      const structuredContent = { error: { code: 'not_found' } };
      expect(json).toMatchObject({ result: { isError: true, structuredContent } });
    }
  });

  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    '[M2.2] initializes %s',
    async (protocolVersion) => {
      await using http = await openHttp(aHost());
      const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'tester', version: '1' } };

      const answer = await http.send({ body: { ...INITIALIZE.body, params }, headers: {} });

      expect(answer.json).toMatchObject({
        result: {
          protocolVersion,
          instructions: 'Test this.',
          serverInfo: { name: 'test' },
          capabilities: { tools: {} },
        },
      });
      expect(answer.headers.get('mcp-session-id')).toBeNull();
    },
  );

  it('[M2.2] offers its newest version to a client that asks for another one by initialize', async () => {
    await using http = await openHttp(aHost());
    const params = { protocolVersion: '2027-01-01', capabilities: {} };

    const answer = await http.send({ body: { ...INITIALIZE.body, params }, headers: {} });

    expect(answer.json).toMatchObject({ result: { protocolVersion: '2025-11-25' } });
  });

  it('[M3.3] keeps nothing of a 2025 client, and so has no GET and no DELETE', async () => {
    await using http = await openHttp(aHost());

    const answers = [await http.fetch({ method: 'GET' }), await http.fetch({ method: 'DELETE' })];

    expect(answers.map(({ status, headers }) => [status, headers.get('allow')])).toEqual([
      [405, 'POST'],
      [405, 'POST'],
    ]);
  });

  it('answers a ping of 2025 only', async () => {
    await using http = await openHttp(aHost());

    expect((await http.send(a2025Request('ping'))).json).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    expect((await http.send(a2026Request('ping'))).status).toBe(404);
  });

  it.each<[string, JsonObject]>([
    ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }],
    ['an unknown notification', { jsonrpc: '2.0', method: 'notifications/whatever', params: {} }],
    ['an answer to nothing', { jsonrpc: '2.0', id: 'x', result: {} }],
  ])('[M3.2] takes %s and says nothing', async (_name, body) => {
    await using http = await openHttp(aHost());

    const answers = [
      await http.send({ body, headers: {} }),
      await http.send({ body, headers: { 'mcp-protocol-version': VERSION } }),
    ];

    expect(answers.map(({ status, text }) => [status, text])).toEqual([
      [202, ''],
      [202, ''],
    ]);
  });

  it('[M2.6] answers a batch of 2025-03-26 and no other', async () => {
    await using http = await openHttp(aHost());
    const body = JSON.stringify([
      a2025Request('ping', {}, 'a').body,
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      a2025Request('tools/call', echo, 2).body,
      { jsonrpc: '2.0', id: 3 },
      INITIALIZE.body,
      a2026Request('tools/list').body,
    ]);

    const old = await http.post(body, { 'mcp-protocol-version': '2025-03-26' });
    const unnamed = await http.post(body);
    const later = await http.post(body, { 'mcp-protocol-version': '2025-06-18' });

    expect(old.json).toMatchObject([
      { id: 'a', result: {} },
      { id: 2, result: { structuredContent: { a: 1 } } },
      { id: 3, error: { code: -32600 } },
      { id: 0, error: { code: -32600 } },
      { id: 1, error: { code: -32600 } },
    ]);
    expect(unnamed.text).toBe(old.text);
    expect([later.status, codeOf(later)]).toEqual([400, -32600]);
  });

  it('answers nothing to a batch of notifications, and refuses an empty or too long batch', async () => {
    await using http = await openHttp(aHost());
    const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };

    expect(await http.post(JSON.stringify([notification]))).toMatchObject({ status: 202, text: '' });
    expect(codeOf(await http.post('[]'))).toBe(-32600);
    expect(codeOf(await http.post(JSON.stringify(Array(101).fill(notification))))).toBe(-32600);
  });

  it('[M3.3] reads the Accept header as clients write it', () => {
    const read = [
      undefined,
      '*/*',
      'application/json',
      'text/event-stream, application/json',
      'text/*',
      'text/html',
      'Application/JSON, Text/Event-Stream',
      'APPLICATION/*',
      'application/json;q=0, text/event-stream',
      'application/json;q=0.5, text/event-stream; q=0.0',
    ].map(acceptsOf);

    expect(read).toEqual(['json', 'either', 'json', 'either', 'stream', null, 'either', 'json', 'stream', 'json']);
  });
});
