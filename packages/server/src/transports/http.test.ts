import { once } from 'node:events';
import { connect, createServer as createTcpServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ask, createServed } from '#testing/served';

const RPC = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const ACCEPT = { accept: 'application/json, text/event-stream' };

describe('the listener', () => {
  it.each([
    ['evil.com', 403],
    ['127.0.0.1.evil.com', 403],
    ['localhost', 200],
    ['127.0.0.1:9', 200],
  ])('asked under the host %s answers %i', async (host, status) => {
    await using served = await createServed();

    const said = await ask(`${served.url}/healthz`, { headers: { host } });

    expect(said.status).toBe(status);
  });

  it('refuses a request with two hosts', async () => {
    await using served = await createServed();
    const socket = connect(served.port, '127.0.0.1');
    socket.end('GET /docs HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\nConnection: close\r\n\r\n');

    const said = await text(socket);

    expect(said).toMatch(/^HTTP\/1\.1 400 /);
    expect(said).toContain('exactly one Host');
  });

  it('checks the host before anything else', async () => {
    await using served = await createServed();

    const said = await served.call('POST', '/mcp', RPC, { host: 'evil.com', origin: 'http://evil.com' });

    expect(said).toMatchObject({ status: 403, json: { error: { code: 'forbidden_host' } } });
  });

  it.each(['null', 'http://evil.com', 'http://127.0.0.1.evil.com', 'https://board.example.com.evil.com'])(
    'refuses pages of %s',
    async (origin) => {
      await using served = await createServed({ allowed_origins: ['https://board.example.com'] });

      const said = await served.call('GET', '/api/v1/todo/tasks?user_id=me', undefined, { origin });

      expect(said).toMatchObject({ status: 403, json: { error: { code: 'forbidden_host' } } });
    },
  );

  it('lets its own pages call under an allowed name, and no page under another', async () => {
    await using served = await createServed({ allowed_hosts: ['tasks.example.com'] });
    const asPageOf = (name: string) =>
      served.call('POST', '/mcp', RPC, { host: name, origin: `https://${name}`, ...ACCEPT });

    const [own, foreign] = await Promise.all([asPageOf('tasks.example.com'), asPageOf('evil.example.com')]);

    expect([own.status, foreign.status]).toEqual([200, 403]);
  });

  it('answers the preflight of an allowed origin, then its call', async () => {
    const origin = 'https://board.example.com';
    await using served = await createServed({ allowed_origins: [origin] });

    const preflight = await ask(`${served.url}/mcp`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    });
    const said = await served.call('POST', '/mcp', RPC, { origin, ...ACCEPT });

    expect(preflight.status).toBe(204);
    expect(preflight.headers['access-control-allow-headers']).toContain('Authorization');
    expect(said.status).toBe(200);
    expect(said.headers['access-control-allow-origin']).toBe(origin);
  });

  it.each(['/mcp', '/mcp/todo', '/api/v1/todo/tasks?user_id=me'])('requires a token at %s', async (path) => {
    await using served = await createServed();

    const said = await ask(`${served.url}${path}`, { headers: { 'content-type': 'application/json' } });

    expect(said).toMatchObject({ status: 401, json: { error: { code: 'unauthenticated', retryable: false } } });
    expect(said.headers['www-authenticate']).toMatch(/^Bearer realm="errand"/);
  });

  it('serves MCP with and without a slash at the end of its address', async () => {
    await using served = await createServed();
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

    const answers = await Promise.all(
      ['/mcp/', '/mcp/todo/', '/mcp//', '/mcp/nothing/'].map((path) => served.call('POST', path, ping)),
    );

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 404]);
  });

  it('never reads a token from the address', async () => {
    await using served = await createServed();
    const secret = served.authorization.replace('Bearer ', '');

    const said = await ask(`${served.url}/api/v1/todo/tasks?user_id=me&access_token=${secret}`);

    expect(said.status).toBe(401);
  });

  it.each([
    ['/mcp', 'todo_add_task'],
    ['/mcp/todo', 'add_task'],
  ])('serves the tools of %s under their names there', async (path, name) => {
    await using served = await createServed();

    const said = await served.call('POST', path, RPC, ACCEPT);

    expect(said.json).toMatchObject({ result: { tools: expect.arrayContaining([expect.objectContaining({ name })]) } });
  });

  it.each(['/mcp/admin', '/mcp/nothing', '/mcp/__proto__', '/mcpx'])('has no endpoint at %s', async (path) => {
    await using served = await createServed();

    const said = await served.call('POST', path, RPC, ACCEPT);

    expect(said.status).toBe(404);
  });

  it.each([
    ['/mcp', 'todo_complete_task', 'Call todo_list_tasks for'],
    ['/mcp/todo', 'complete_task', 'Call list_tasks for'],
  ])('at %s names tools in hints as they are listed there', async (path, name, hint) => {
    await using served = await createServed();
    const params = { name, arguments: { user_id: 'me', task_id: 'none' } };

    const said = await served.call('POST', path, { ...RPC, method: 'tools/call', params }, ACCEPT);

    expect(said.text).toContain(hint);
  });

  it('authenticates again when the body arrives late', async () => {
    await using served = await createServed();
    const { token, token_id } = await served.world.token({});
    const body = JSON.stringify({
      ...RPC,
      method: 'tools/call',
      params: { name: 'add_task', arguments: { user_id: 'me', title: 'late' } },
    });
    const socket = connect(served.port, '127.0.0.1');
    socket.write(
      `POST /mcp/todo HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n` +
        `Authorization: Bearer ${token as string}\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
    );
    await new Promise((resolve) => setTimeout(resolve, 100));

    await served.world.ask('admin_revoke_token', { token_id });
    socket.end(body.slice(5));

    expect(await text(socket)).toMatch(/^HTTP\/1\.1 401 /);
    expect(await served.world.ask('todo_list_tasks', { user_id: 'me' })).toEqual({ tasks: [] });
  });

  it('leaves invalid HTTP to the parser, which refuses it', async () => {
    await using served = await createServed();
    const socket = connect(served.port, '127.0.0.1');
    socket.end(
      'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    );

    const said = await text(socket);

    expect(said).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('says which address it cannot bind', async () => {
    const taken = createTcpServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as { port: number };
    await using served = await createServed();
    await served.server.drain(0);

    const listening = served.server.listen('127.0.0.1', port);

    await expect(listening).rejects.toMatchObject({ code: 'EADDRINUSE' });
    taken.close();
  });
});

describe('operation', () => {
  afterEach(() => void vi.useRealTimers());

  it('is alive even while the store is away, and says nothing more', async () => {
    await using served = await createServed();
    served.ready.check = () => Promise.reject(new Error('postgres://u:p@db.internal is gone'));

    const [alive, ready] = await Promise.all([ask(`${served.url}/healthz`), ask(`${served.url}/readyz`)]);

    expect(alive).toMatchObject({ status: 200, json: { status: 'ok' } });
    expect(ready).toMatchObject({ status: 503, text: '{"status":"not_ready"}' });
  });

  it('is ready when the store is', async () => {
    await using served = await createServed();

    expect(await ask(`${served.url}/readyz`)).toMatchObject({ status: 200, json: { status: 'ready' } });
  });

  it('shares one check of the store among requests during it, or within a second after it', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    await using served = await createServed();
    const held = Promise.withResolvers<void>();
    let looks = 0;
    served.ready.check = () => {
      looks += 1;
      return held.promise;
    };
    const waiting = Array.from({ length: 5 }, () => ask(`${served.url}/readyz`));
    await expect.poll(() => looks).toBe(1);

    held.resolve();
    const said = await Promise.all(waiting);
    const soon = await ask(`${served.url}/readyz`);
    const shared = looks;
    vi.advanceTimersByTime(1_000);
    const late = await ask(`${served.url}/readyz`);

    expect([...said, soon, late].every(({ status }) => status === 200)).toBe(true);
    expect([shared, looks]).toEqual([1, 2]);
  });

  it('offers metrics as text', async () => {
    await using served = await createServed();

    const said = await ask(`${served.url}/metrics`);

    expect(said.headers['content-type']).toContain('text/plain');
    expect(said.text).toContain('process_start_time_seconds');
  });

  it.each(['/healthz', '/readyz', '/metrics'])('only reads %s', async (path) => {
    await using served = await createServed();

    const [head, ...others] = await Promise.all(
      ['HEAD', 'POST', 'DELETE', 'PROPFIND'].map((method) => ask(`${served.url}${path}`, { method })),
    );

    expect(head).toMatchObject({ status: 200, text: '' });
    for (const other of others) {
      expect(other).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
      expect(other.json).toMatchObject({ error: { code: 'method_not_allowed' } });
    }
  });
});

describe('draining', () => {
  it('lets a running request end, tells its client to close, and accepts no new one', async () => {
    await using served = await createServed();
    const held = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    served.ready.check = () => {
      started.resolve();
      return held.promise;
    };
    const running = ask(`${served.url}/readyz`);
    await started.promise;

    const drained = served.server.drain(5_000);
    const late = ask(`${served.url}/healthz`);
    await expect(late).rejects.toThrow();
    held.resolve();

    const said = await running;
    expect(said).toMatchObject({ status: 200, json: { status: 'ready' } });
    expect(said.headers.connection).toBe('close');
    await drained;
  });

  it('cuts requests that do not end in time', async () => {
    await using served = await createServed();
    const started = Promise.withResolvers<void>();
    served.ready.check = () => {
      started.resolve();
      return new Promise(() => {});
    };
    const running = ask(`${served.url}/readyz`);
    await started.promise;
    const refused = expect(running).rejects.toThrow();

    await served.server.drain(50);

    await refused;
  });
});
