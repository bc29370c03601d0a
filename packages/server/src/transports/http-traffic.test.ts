import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, vi } from 'vitest';
import { ask, createServed } from '#testing/served';
import { createAddressOf } from '#transports/address';
import { sendFailure } from './answer.ts';
import { createHttpServer } from './http.ts';
import { DEFAULT_TRAFFIC, type Traffic } from './traffic.ts';

const RPC = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const ACCEPT = { accept: 'application/json, text/event-stream' };

describe('the places of the listener', () => {
  /** A server whose pages wait until the test releases them. */
  async function aBusyServer(traffic: Partial<Traffic>, page: string | Buffer = '{}') {
    const held = Promise.withResolvers<void>();
    let waiting = 0;
    const server = createHttpServer({
      addressOf: createAddressOf(['127.0.0.1']),
      authenticate: () => Promise.reject(new Error('nobody is asked')),
      identify: async ({ headers }) => headers.authorization ?? null,
      narrow: (caller) => caller,
      mcp: () => {
        throw new Error('nothing is served');
      },
      rest: { answer: () => null, fail: sendFailure },
      app: async (_, res) => {
        waiting += 1;
        await held.promise;
        res.end(page);
      },
      metrics: () => '',
      checkReady: async () => {},
      closeStreams: () => {},
      report: () => {},
      tellRefusal: () => {},
      profile: 'all',
      allowed_hosts: [],
      allowed_origins: [],
      traffic: { ...DEFAULT_TRAFFIC, ...traffic },
    });
    const { port } = await server.listen('127.0.0.1', 0);
    const url = `http://127.0.0.1:${port}`;
    const hold = async (count: number, token?: string, from?: string) => {
      const before = waiting;
      const headers = {
        ...(token !== undefined && { authorization: token }),
        ...(from !== undefined && { 'x-forwarded-for': from }),
      };
      const running = Array.from({ length: count }, () => ask(`${url}/page`, { headers }));
      await vi.waitFor(() => expect(waiting).toBe(before + count));
      return running;
    };
    return { server, url, hold, release: held.resolve };
  }

  it('answers 503 to more requests than allowed at once, and still reports alive and ready', async () => {
    const { server, url, hold, release } = await aBusyServer({ max_requests: 4 });
    const running = [
      ...(await hold(1, 'a')),
      ...(await hold(1, 'b')),
      ...(await hold(1, 'c')),
      ...(await hold(1, 'd')),
    ];

    const said = await ask(`${url}/page`, { headers: { authorization: 'e' } });
    const alive = [await ask(`${url}/healthz`), await ask(`${url}/readyz`)];

    expect(said).toMatchObject({ status: 503, json: { error: { code: 'overloaded', retryable: true } } });
    expect(said.headers['retry-after']).toBe('1');
    expect(alive.map(({ status }) => status)).toEqual([200, 200]);
    release();
    for (const answer of await Promise.all(running)) expect(answer.status).toBe(200);
    await server.drain();
  });

  it('gives one token a quarter of the places, and serves its next request when one is free again', async () => {
    const { server, url, hold, release } = await aBusyServer({ max_requests: 8 });
    const running = await hold(2, 'greedy');

    const more = await ask(`${url}/page`, { headers: { authorization: 'greedy' } });
    const other = await hold(1, 'modest');
    release();
    await Promise.all([...running, ...other]);
    const again = await ask(`${url}/page`, { headers: { authorization: 'greedy' } });

    expect([more.status, again.status]).toEqual([429, 200]);
    expect(more.headers['retry-after']).toBe('1');
    await server.drain();
  });

  it('keeps the places of tokens free of requests without one, however many an address sends', async () => {
    const { server, url, hold, release } = await aBusyServer({ max_requests: 8, max_tokenless_requests: 8 });
    const strangers = await hold(2);

    const more = await ask(`${url}/page`);
    const known = await hold(2, 'a');
    release();
    await Promise.all([...strangers, ...known]);

    expect(more).toMatchObject({ status: 429, json: { error: { code: 'rate_limited' } } });
    await server.drain();
  });

  it('are divided among networks of IPv6, because one caller has all addresses of such a network', async () => {
    const { server, url, hold, release } = await aBusyServer({ max_tokenless_requests: 8 });
    const strangers = [
      ...(await hold(1, undefined, '2001:db8:1:2::1')),
      ...(await hold(1, undefined, '2001:db8:1:2::2')),
    ];

    const more = await ask(`${url}/page`, { headers: { 'x-forwarded-for': '2001:db8:1:2::3' } });
    const others = await hold(1, undefined, '2001:db8:1:3::1');
    release();
    await Promise.all([...strangers, ...others]);

    expect(more).toMatchObject({ status: 429, json: { error: { code: 'rate_limited' } } });
    await server.drain();
  });

  it('counts a request with an invented token by its address', async () => {
    await using served = await createServed({ traffic: { ...DEFAULT_TRAFFIC, max_tokenless_requests: 4 } });
    const sockets = Array.from({ length: 8 }, (_, i) => {
      const socket = connect(served.port, '127.0.0.1');
      socket.write(
        `POST /docs HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer t${i}\r\nContent-Length: 9\r\n\r\n`,
      );
      return socket;
    });
    await Promise.all(sockets.map((socket) => once(socket, 'data')));

    const said = await served.call('POST', '/mcp', RPC, ACCEPT);

    expect(said.status).toBe(200);
    for (const socket of sockets) socket.destroy();
  });

  it('cuts a connection whose answer is not read, and gives its place to the next', async () => {
    const page = Buffer.alloc(12 * 1024 * 1024);
    const limits = { max_tokenless_requests: 3, max_unread_memory: 4 * 2 * page.length, write_timeout_ms: 200 };
    const { server, url, release } = await aBusyServer(limits, page);
    release();
    const socket = connect(Number(new URL(url).port), '127.0.0.1').pause();
    socket.write('GET /page HTTP/1.1\r\nHost: localhost\r\n\r\n');

    await vi.waitFor(async () => expect((await ask(`${url}/page`, { method: 'HEAD' })).status).toBe(429));
    await vi.waitFor(async () => expect((await ask(`${url}/page`)).status).toBe(200), 5_000);

    const read = text(socket.resume()).then(({ length }) => length);
    await expect(read).resolves.toBeLessThan(page.length);
    await server.drain();
  });
});

describe('the log of the listener', () => {
  it.each([
    ['without a token', 401, { path: '/mcp', headers: {} }],
    ['with another host', 403, { path: '/docs', headers: { host: 'evil.com' } }],
    ['for nothing', 404, { path: '/api/v1/nothing', headers: {} }],
    ['with a wrong method', 405, { path: '/openapi.json', headers: {}, method: 'PUT' }],
    ['for no page', 404, { path: '/docs/nothing?key=secret', headers: {} }],
  ])('[FR-067] logs a request %s once, under the id of its answer', async (_, status, { path, ...asked }) => {
    await using served = await createServed();

    const said = await ask(`${served.url}${path}`, asked);

    const id = said.headers['x-request-id'];
    const { error = { correlation_id: id } } = said.json as { error?: { correlation_id: unknown } };
    expect([said.status, error.correlation_id]).toEqual([status, id]);
    await vi.waitFor(() => expect(served.warnings).toHaveLength(1));
    const [pathname] = path.split('?');
    expect(served.warnings[0]).toMatchObject({ correlation_id: id, status, path: pathname, address: '127.0.0.1' });
  });

  it('[FR-067] logs what MCP refuses, and invalid HTTP, under the id of its answer', async () => {
    await using served = await createServed();
    const socket = connect(served.port, '127.0.0.1');
    socket.end('no request\r\n\r\n');

    const raw = await text(socket);
    const said = await served.call('POST', '/mcp', RPC, { accept: 'image/png', 'x-request-id': 'mine-1' });

    const [, id] = /X-Request-Id: (\S+)/.exec(raw) ?? [];
    await vi.waitFor(() => expect(served.warnings).toHaveLength(2));
    expect([said.status, said.headers['x-request-id']]).toEqual([406, 'mine-1']);
    expect(served.warnings).toMatchObject([
      { correlation_id: id, status: 400 },
      { correlation_id: 'mine-1', status: 406 },
    ]);
  });

  it('logs some of the sign-in keys that an address tries, and calls no tool for them', async () => {
    await using served = await createServed();
    const calls_before = served.world.calls.length;

    const tried = await Promise.all(
      Array.from({ length: 30 }, (_, i) => ask(`${served.url}/?key=${String(i).padStart(22, 'k')}`)),
    );

    expect(new Set(tried.map(({ status }) => status))).toEqual(new Set([403]));
    await served.server.drain(0);
    // Redeeming a key would be a call and a change.
    expect(served.world.calls).toHaveLength(calls_before);
    const ids = tried.map(({ headers }) => headers['x-request-id']);
    const lines = served.warnings.filter(({ correlation_id }) => correlation_id !== undefined);
    expect(lines).toHaveLength(20);
    expect(lines.every(({ correlation_id }) => ids.includes(String(correlation_id)))).toBe(true);
    expect(served.warnings.at(-1)).toMatchObject({ suppressed: 10 });
  });

  it('leaves the log of a refused call to the call', async () => {
    await using served = await createServed();

    const said = await served.call('POST', '/api/v1/tools/todo_add_task', { user_id: 'me' });

    expect(said.status).toBe(400);
    await served.server.drain(0);
    expect(served.warnings).toEqual([]);
  });
});
