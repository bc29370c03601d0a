import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { McpHost } from '#host';
import type { JsonObject } from '#json';
import { RpcError } from '#json-rpc';
import { aHost } from '#testing/a-host';
import { a2025Request, a2026Request, INITIALIZE } from '#testing/messages';
import { type StdioOptions, serveStdio } from './stdio.ts';

function connect(host: McpHost<string>, authenticate = async () => 'anna', stop?: StdioOptions<string>['stop']) {
  const input = new PassThrough();
  const output = new PassThrough();
  let written = '';
  output.on('data', (chunk) => {
    written += String(chunk);
  });
  const over = serveStdio(host, { input, output, authenticate, ...(stop && { stop }) });
  const lines = () => written.split('\n').slice(0, -1);
  return {
    input,
    output,
    over,
    lines,
    send: (...bodies: readonly JsonObject[]) => {
      for (const body of bodies) input.write(`${JSON.stringify(body)}\n`);
    },
    messages: (): readonly unknown[] => lines().map((line) => JSON.parse(line) as unknown),
    end: async () => {
      input.end();
      await over;
    },
  };
}

const call = (name: string, args: JsonObject = {}, id: string | number = 1) =>
  a2025Request('tools/call', { name, arguments: args }, id).body;

describe('mcp over stdio', () => {
  it('answers what the client sent before a stop, and then closes the input', async () => {
    const stop = new AbortController();
    const { input, over, send, messages } = connect(aHost(), undefined, { signal: stop.signal, ends_input: false });

    stop.abort();
    for (const id of [1, 2, 3]) {
      send(a2025Request('ping', {}, id).body);
      await new Promise(setImmediate);
    }
    await over;

    expect(messages()).toHaveLength(3);
    expect(input.destroyed).toBe(true);
  });

  it('closes the input when nobody reads the output', async () => {
    const { input, output, over } = connect(aHost());

    output.destroy(new Error('EPIPE'));
    await over;

    expect(input.destroyed).toBe(true);
  });

  it('[M7.1] answers both generations, one message a line', async () => {
    const client = connect(aHost());

    client.send(INITIALIZE.body, { jsonrpc: '2.0', method: 'notifications/initialized' }, call('echo', { a: '\n' }));
    await expect.poll(() => client.lines()).toHaveLength(2);
    client.send(a2026Request('server/discover').body);
    await client.end();

    expect(client.messages()).toMatchObject([
      { id: 0, result: { protocolVersion: '2025-11-25' } },
      { id: 1, result: { structuredContent: { a: '\n' } } },
      { id: 1, result: { resultType: 'complete', supportedVersions: ['2026-07-28'] } },
    ]);
  });

  it('needs neither the headers of 2026 nor a version header', async () => {
    const client = connect(aHost());

    client.send(a2026Request('tools/call', { name: 'echo', arguments: { a: 1 } }).body);
    await client.end();

    expect(client.messages()).toMatchObject([{ result: { structuredContent: { a: 1 } } }]);
  });

  it('writes nothing but JSON, whatever it reads', async () => {
    const client = connect(aHost());

    client.input.write('\n  \r\nnot json\n');
    client.input.write(Buffer.from([0x22, 0xff, 0x22, 0x0a]));
    client.input.write(`${'['.repeat(100)}\n`);
    client.input.write(`"${'x'.repeat(2 * 1024 * 1024)}"\n`);
    client.send({ jsonrpc: '2.0', id: null, method: 'ping' }, call('crash'));
    await expect.poll(() => client.lines()).toHaveLength(6);
    client.send(a2025Request('ping', {}, 'last').body);
    await client.end();

    expect(client.messages()).toMatchObject([
      { error: { code: -32700 } },
      { error: { code: -32700 } },
      { error: { code: -32600 } },
      { error: { code: -32600 } },
      { error: { code: -32600 } },
      { id: 1, error: { code: -32603 } },
      { id: 'last', result: {} },
    ]);
  });

  it('names the tool that a client means by an unknown name, where the host knows it', async () => {
    const tools = { list: () => [], call: () => undefined, meant: (name: string) => (name === 'ehco' ? 'echo' : null) };
    const client = connect(aHost({ tools }));

    client.send(call('ehco', {}, 1), call('other', {}, 2));
    await client.end();

    expect(client.messages()).toMatchObject([
      { id: 1, error: { code: -32602, message: 'Unknown tool: ehco. Did you mean echo?' } },
      { id: 2, error: { message: 'Unknown tool: other' } },
    ]);
  });

  it('puts an answer with line breaks on one line', async () => {
    const tools = {
      list: () => [],
      call: async () => ({ kind: 'json', json: '{\n  "a": 1\n}', failed: false }) as const,
    };
    const client = connect(aHost({ tools }));

    client.send(call('echo'));
    await client.end();

    expect(client.messages()).toMatchObject([{ result: { structuredContent: { a: 1 } } }]);
  });

  it('[M7.1] reads a message from any chunks', async () => {
    const client = connect(aHost());
    const line = Buffer.from(`${JSON.stringify(call('echo', { a: 'ü' }))}\n`);

    for (const byte of line) client.input.write(Buffer.from([byte]));
    await client.end();

    expect(client.messages()).toMatchObject([{ result: { structuredContent: { a: 'ü' } } }]);
  });

  it('[M7.3] finishes running calls when the client closes its end, including the last line', async () => {
    const host = aHost();
    const client = connect(host);

    client.send(call('wait', { ms: 100 }));
    client.input.write(JSON.stringify(call('echo', {}, 2)));
    await client.end();

    expect(client.messages()).toHaveLength(2);
    expect(host.finished()).toBe(1);
  });

  it('[M7.3] does not wait for ever for a call that does not end', async () => {
    const host = aHost();
    const client = connect(host);

    client.send(call('wait'));
    await client.end();

    expect(client.messages()).toEqual([]);
    expect(host.finished()).toBe(0);
  });

  it('ends when the client no longer reads its answers', async () => {
    const client = connect(aHost());

    client.output.destroy();

    await expect(client.over).resolves.toBeUndefined();
  });

  it('[M7.4] waits for a slow reader only once, also with many messages', async () => {
    const input = new PassThrough();
    const output = new PassThrough({ highWaterMark: 1 });
    const over = serveStdio(aHost(), { input, output, authenticate: async () => 'anna' });
    const pings = Array.from({ length: 20 }, (_, id) => `${JSON.stringify(a2025Request('ping', {}, id).body)}\n`);

    input.write(pings.join(''));
    await expect.poll(() => output.writableLength).toBeGreaterThan(500);
    const waiting = output.listenerCount('drain');
    const said = text(output);
    input.end();
    await over;
    output.end();

    expect(waiting).toBe(1);
    expect((await said).trimEnd().split('\n')).toHaveLength(20);
  });

  it('sends nothing more for a cancelled call', async () => {
    const host = aHost();
    const client = connect(host);

    client.send(a2025Request('tools/call', { name: 'wait', _meta: { progressToken: 1 } }, 'w').body);
    await expect.poll(() => client.lines()).toEqual([]);
    client.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'w' } });
    await expect.poll(() => host.aborted()).toBe(1);
    await client.end();

    expect(client.messages()).toEqual([]);
  });

  it('[M6.1] asks a 2025 client by a request and continues with its answer', async () => {
    const client = connect(aHost());

    client.send(INITIALIZE.body, call('ask'));
    await expect.poll(() => client.lines()).toHaveLength(2);
    const [, question] = client.messages();
    expect(question).toMatchObject({ method: 'elicitation/create', params: { message: 'Who?' } });
    const { id } = question as { id: string };
    client.send({ jsonrpc: '2.0', id, result: { action: 'accept' } });
    await client.end();

    const structuredContent = { name: { action: 'accept' }, request_state: 'asked' };
    expect(client.messages()[2]).toMatchObject({ id: 1, result: { structuredContent } });
  });

  it('[M7.2] answers no request before initialize', async () => {
    let delay = 50;
    const slowAtFirst = async () => {
      await new Promise((resolve) => setTimeout(resolve, delay));
      delay = 0;
      return 'anna';
    };
    const client = connect(aHost(), slowAtFirst);

    client.send(INITIALIZE.body, call('ask'));
    await expect.poll(() => client.lines()).toHaveLength(2);
    await client.end();

    expect(client.messages()).toMatchObject([{ id: 0 }, { method: 'elicitation/create' }, { id: 1, error: {} }]);
  });

  it('[M6.2] does not ask a client that did not declare support', async () => {
    const client = connect(aHost());

    client.send(call('ask'));
    await client.end();

    expect(client.messages()).toMatchObject([{ id: 1, error: { code: -32602 } }]);
  });

  it('logs from the level that the client set', async () => {
    const client = connect(aHost());

    client.send(INITIALIZE.body, call('tell', {}, 'quiet'));
    await expect.poll(() => client.lines()).toHaveLength(2);
    client.send(a2025Request('logging/setLevel', { level: 'info' }, 'set').body);
    await expect.poll(() => client.lines()).toHaveLength(3);
    client.send(call('tell', {}, 'loud'));
    await client.end();

    expect(client.messages().slice(1)).toMatchObject([
      { id: 'quiet' },
      { id: 'set', result: {} },
      { method: 'notifications/message', params: { level: 'info' } },
      { id: 'loud' },
    ]);
  });

  it('sends changes to an initialized client', async () => {
    const host = aHost();
    const client = connect(host);

    client.send(INITIALIZE.body);
    await expect.poll(() => client.lines()).toHaveLength(1);
    host.announce({ kind: 'tools' });
    host.announce({ kind: 'resource', uri: 'not:wanted' });
    await client.end();
    host.announce({ kind: 'tools' });

    expect(client.messages().slice(1)).toEqual([{ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }]);
  });

  it('ends the listening of a 2026 client with a result', async () => {
    const host = aHost();
    const client = connect(host);

    client.send(a2026Request('subscriptions/listen', { notifications: { toolsListChanged: true } }).body);
    await expect.poll(() => client.lines()).toHaveLength(1);
    host.announce({ kind: 'tools' });
    await client.end();

    expect(client.messages()).toMatchObject([
      { method: 'notifications/subscriptions/acknowledged' },
      { method: 'notifications/tools/list_changed' },
      { id: 1, result: { resultType: 'complete' } },
    ]);
  });

  it('[M7.5] authenticates every request', async () => {
    let revoked = false;
    const client = connect(aHost(), async () => {
      if (revoked) throw new RpcError(-32603, 'This token was revoked.', { code: 'unauthenticated' });
      return 'anna';
    });

    client.send(a2025Request('ping').body);
    await expect.poll(() => client.lines()).toHaveLength(1);
    revoked = true;
    client.send(a2025Request('ping', {}, 2).body);
    await client.end();

    const error = { code: -32603, message: 'This token was revoked.', data: { code: 'unauthenticated' } };
    expect(client.messages()[1]).toEqual({ jsonrpc: '2.0', id: 2, error });
  });

  it('answers a batch to a client of 2025-03-26', async () => {
    const client = connect(aHost());

    client.input.write(`${JSON.stringify([a2025Request('ping', {}, 'a').body, a2025Request('ping', {}, 'b').body])}\n`);
    await client.end();

    expect(client.messages()).toMatchObject([[{ id: 'a' }, { id: 'b' }]]);
  });
});
