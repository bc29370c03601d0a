import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createMcpServer } from '#server/create-server';
import { tool } from '#server/tool';
import { a2025Request, a2026Request, INITIALIZE, type Message } from '#testing/messages';
import { listen } from './listen.ts';
import { unauthorized } from './refusal.ts';

const whoami = tool({ name: 'whoami', description: 'Says who calls.', run: (_input, { caller }) => String(caller) });
const server = createMcpServer({ name: 'test', version: '1.0.0', tools: [whoami] });
const WHO = { name: 'whoami' };

function post(url: string, { body, headers }: Message, more: Readonly<Record<string, string>> = {}) {
  return new Promise<{ status: number | undefined; headers: object; text: string }>((resolve, reject) => {
    const all = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
      ...more,
    };
    const sent = request(url, { method: 'POST', headers: all }, async (res) => {
      let text = '';
      for await (const chunk of res) text += String(chunk);
      resolve({ status: res.statusCode, headers: res.headers, text });
    });
    sent.on('error', reject);
    sent.end(JSON.stringify(body));
  });
}

describe('a server that listens', () => {
  it('[M8.3] answers at its path, and nowhere else', async () => {
    await using listening = await listen(server);

    expect((await post(listening.url, a2026Request('tools/call', WHO))).text).toContain('"null"');
    expect((await post(`${listening.url}?a=1`, a2026Request('tools/call', WHO))).status).toBe(200);
    expect((await post(new URL('/other', listening.url).href, a2026Request('tools/call', WHO))).status).toBe(404);
  });

  it('[M8.1, M8.2] refuses a Host and an Origin that are not its own', async () => {
    await using listening = await listen(server, {
      allowed_hosts: ['mcp.example.com'],
      allowed_origins: ['https://app.example.com'],
    });
    const status = async (headers: Readonly<Record<string, string>>) =>
      (await post(listening.url, a2026Request('tools/call', WHO), headers)).status;

    expect(await status({ host: 'evil.com' })).toBe(403);
    expect(await status({ host: 'mcp.example.com' })).toBe(200);
    expect(await status({ origin: 'http://evil.com' })).toBe(403);
    expect(await status({ origin: 'https://app.example.com' })).toBe(200);
  });

  it('[M8.4] serves the caller that the request authenticates, and refuses others', async () => {
    await using listening = await listen(server, {
      authenticate: ({ authorization }) => {
        if (authorization === 'Bearer anna') return 'anna';
        throw unauthorized();
      },
    });

    const known = await post(listening.url, a2026Request('tools/call', WHO), { authorization: 'Bearer anna' });
    const unknown = await post(listening.url, a2026Request('tools/call', WHO));

    expect(known.text).toContain('"anna"');
    expect(unknown).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } });
  });

  it('[M8.4] hides the message of an authentication that failed internally', async () => {
    const reported: unknown[] = [];
    const authenticate = () => Promise.reject(new Error('secret words'));
    await using listening = await listen(server, { authenticate, report: (error) => reported.push(error) });

    const { status, text } = await post(listening.url, a2026Request('tools/call', WHO));

    expect([status, text]).toEqual([500, expect.not.stringContaining('secret')]);
    expect(reported).toMatchObject([{ message: 'secret words' }]);
  });

  it('[M4.1] keeps sessions of 2025 clients in memory, or none', async () => {
    await using remembering = await listen(server);
    await using forgetting = await listen(server, { sessions: null });

    expect((await post(remembering.url, INITIALIZE)).headers).toHaveProperty('mcp-session-id');
    expect((await post(remembering.url, a2025Request('ping'))).status).toBe(400);
    expect((await post(forgetting.url, INITIALIZE)).headers).not.toHaveProperty('mcp-session-id');
    expect((await post(forgetting.url, a2025Request('ping'))).status).toBe(200);
  });
});
