import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { aBoard, aWorker } from '#testing/attempts';
import { createServed } from '#testing/served';

type Json = Record<string, unknown>;

const MODERN = '2026-07-28';
const _meta = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientCapabilities': {},
};
const call = (args: Json, more: Json = {}): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'tail_attempt', arguments: args, ...more },
  });

const WAYS = [
  [
    'MCP 2026-07-28',
    (args: Json) => ({
      path: '/mcp',
      method: 'POST',
      body: call(args, { _meta }),
      headers: { 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/call', 'mcp-name': 'tail_attempt' },
    }),
  ],
  [
    'MCP 2025-11-25',
    (args: Json) => ({
      path: '/mcp',
      method: 'POST',
      body: call(args),
      headers: { 'mcp-protocol-version': '2025-11-25' },
    }),
  ],
  [
    'REST',
    (args: Json) => ({
      path: '/api/v1/tools/tail_attempt',
      method: 'POST',
      body: JSON.stringify(args),
      headers: {},
    }),
  ],
] as const;

describe.each(WAYS)('a client that leaves while it waits, over %s', (_name, asked) => {
  it('ends the wait', async () => {
    await using served = await createServed();
    const { world, url } = served;
    const board = await aBoard(world);
    const worker = await aWorker(world);
    const { attempt_id } = await board.start();
    await worker.take();
    const { token } = await world.token({ scopes: ['board:read'] });
    const { after } = await world.ask('tail_attempt', { attempt_id });
    const { path, method, body, headers } = asked({ attempt_id, after, wait_ms: 30_000 });
    const answered = () => world.calls.filter(({ tool }) => tool === 'tail_attempt').length;
    const before = answered();

    const req = request(`${url}${path}`, {
      method,
      agent: false,
      headers: {
        authorization: `Bearer ${String(token)}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
    });
    req.on('error', () => undefined).end(body);
    await expect.poll(world.waiting).toBe(1);
    req.destroy();

    await expect.poll(answered).toBe(before + 1);
    expect(world.waiting()).toBe(0);
  });
});
