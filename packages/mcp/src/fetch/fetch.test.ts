import { setTimeout as pause } from 'node:timers/promises';
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { createMcpServer } from '#server/create-server';
import { tool } from '#server/tool';
import { a2025Request, a2026Request, INITIALIZE, type Message } from '#testing/messages';
import { messagesIn } from '#testing/open-http';
import { createFetchHandler, mcp, unauthorized } from './index.ts';

const aborted: string[] = [];

const server = createMcpServer<string | null>({
  name: 'test',
  version: '1.0.0',
  tools: [
    tool({ name: 'whoami', description: 'Says who calls.', run: (_input, { caller }) => String(caller) }),
    tool({
      name: 'count',
      description: 'Counts aloud.',
      run: (_input, { progress }) => {
        progress(1, 2);
        progress(2, 2);
        return 'counted';
      },
    }),
    tool({
      name: 'wait',
      description: 'Waits for its end.',
      run: async (_input, { signal, progress }) => {
        progress(1);
        await pause(60_000, undefined, { signal }).catch(() => aborted.push('wait'));
        return 'over';
      },
    }),
  ],
});

const requestFor = ({ body, headers }: Message, more: Readonly<Record<string, string>> = {}): Request =>
  new Request('http://localhost/mcp', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers, ...more },
    body: JSON.stringify(body),
  });

const COUNT = a2026Request('tools/call', { name: 'count' }, { progressToken: 'p' });

describe('a handler for the Fetch API', () => {
  it('[M12.1] answers in one document, with its status and headers', async () => {
    const { fetch } = createFetchHandler(server);

    const response = await fetch(requestFor(a2026Request('tools/call', { name: 'whoami' })));

    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toMatchObject({ result: { content: [{ text: 'null' }] } });
    expect((await fetch(requestFor(a2026Request('unknown/method')))).status).toBe(404);
    expect(
      (
        await fetch(
          requestFor({
            body: { jsonrpc: '2.0', method: 'notifications/initialized' },
            headers: { 'mcp-protocol-version': '2026-07-28' },
          }),
        )
      ).status,
    ).toBe(202);
  });

  it('[M12.1] answers in a stream that can be read before its end', async () => {
    const { fetch } = createFetchHandler(server);

    const response = await fetch(requestFor(COUNT));

    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(messagesIn(await response.text())).toMatchObject([
      { params: { progress: 1 } },
      { params: { progress: 2 } },
      { result: { content: [{ text: 'counted' }] } },
    ]);
  });

  it('[M12.1, M5.3] cancels the call of a client that cancels its stream', async () => {
    const { fetch } = createFetchHandler(server);
    const waiting = a2026Request('tools/call', { name: 'wait' }, { progressToken: 'p' });

    const { body } = await fetch(requestFor(waiting));
    const reader = body?.getReader();
    await reader?.read();
    await reader?.cancel();

    await expect.poll(() => aborted).toEqual(['wait']);
  });

  it('[M12.1] keeps sessions, authenticates callers, and refuses other hosts', async () => {
    const { fetch } = createFetchHandler(server, {
      authenticate: ({ authorization }) => {
        if (authorization === undefined) throw unauthorized();
        return authorization;
      },
    });
    const as = { authorization: 'anna' };

    const opened = await fetch(requestFor(INITIALIZE, as));
    const session = { ...as, 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };

    expect(await (await fetch(requestFor(a2025Request('tools/call', { name: 'whoami' }), session))).text()).toContain(
      'anna',
    );
    expect((await fetch(requestFor(INITIALIZE))).status).toBe(401);
    expect((await fetch(requestFor(INITIALIZE, { ...as, host: 'evil.com' }))).status).toBe(403);
  });

  it('[M12.2] is a handler for Hono', async () => {
    const app = new Hono();
    app.all('/mcp', mcp(server));

    const response = await app.request(requestFor(a2026Request('tools/call', { name: 'whoami' })));

    expect(await response.json()).toMatchObject({ result: { content: [{ text: 'null' }] } });
    expect((await app.request('http://localhost/mcp', { method: 'PUT' })).status).toBe(405);
  });
});
