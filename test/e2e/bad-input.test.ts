import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Client, Driver } from './client.ts';
import { digest } from './database.ts';
import { mcpHttp } from './drivers/mcp-http.ts';
import { mcpHeaders, type Revision, rpc } from './drivers/mcp-messages.ts';
import { mcpStdio } from './drivers/mcp-stdio.ts';
import { restTools } from './drivers/rest.ts';
import { bearer, type Received, type Sent, send } from './http.ts';
import { openWorld, type World } from './world.ts';

/** Internals that no answer may reveal: paths, SQL, stack traces. */
const INSIDES = /node_modules|\.ts:\d|\.js:\d|\bat .+:\d+:\d+|sqlite|select |insert |errand\.db|\/tmp\/|\/home\//i;

interface People {
  readonly alice: string;
  readonly tokens: Readonly<Record<'revoked' | 'expired' | 'blocked' | 'reader', string>>;
}

let world: World;
let people: People;
let before: string;

beforeAll(async () => {
  world = await openWorld('sqlite');
  const { admin } = world;
  const [alice, mallory] = [world.person(), world.person()];
  const revoked = await admin.createToken({ kind: 'user', user_id: alice });
  await admin.revokeToken(revoked.token_id);
  const blocked = await admin.createToken({ kind: 'user', user_id: mallory });
  await admin.blockUser(mallory);
  const expired = await admin.createToken({ kind: 'user', user_id: alice, expires_in: '1s' });
  const reader = await admin.createToken({ kind: 'user', user_id: alice, scopes: ['todo:read'] });
  await sleep(1_100);
  people = {
    alice,
    tokens: { revoked: revoked.token, expired: expired.token, blocked: blocked.token, reader: reader.token },
  };
});
afterAll(async () => {
  await world?.[Symbol.asyncDispose]();
});
beforeEach(async () => {
  before = await digest(world.database);
});

const unchanged = async () => expect(await digest(world.database)).toBe(before);

const BAD_ARGUMENTS: readonly [what: string, args: Readonly<Record<string, unknown>>, field: RegExp][] = [
  ['no title', {}, /title/],
  ['a null title', { title: null }, /title/],
  ['a number for the title', { title: 5 }, /title/],
  ['an object for the title', { title: { toString: 'x' } }, /title/],
  ['a title that is too long', { title: 'x'.repeat(201) }, /title/],
  ['half a surrogate pair', { title: 'a\ud800b' }, /title/],
  ['U+0000 in the title', { title: 'a\0b' }, /title/],
  ['U+0000 in the key', { title: 'x', idempotency_key: 'a\0b' }, /idempotency_key/],
  ['an empty key', { title: 'x', idempotency_key: '' }, /idempotency_key/],
  ['a key that is too long', { title: 'x', idempotency_key: 'k'.repeat(201) }, /idempotency_key/],
  ['a field that does not exist', { title: 'x', priority: 'high' }, /priority/],
  [
    '__proto__ as a field',
    JSON.parse('{"title":"x","__proto__":{"a":1}}') as object as Record<string, unknown>,
    /__proto__/,
  ],
  ['a list for the user', { user_id: ['a'], title: 'x' }, /user_id/],
];

const DRIVERS: readonly [name: string, make: () => Driver][] = [
  ['MCP 2025-11-25', () => mcpHttp('2025-11-25', world.server.origin)],
  ['MCP 2026-07-28', () => mcpHttp('2026-07-28', world.server.origin)],
  ['stdio', () => mcpStdio('2025-11-25', world.place)],
  ['REST', () => restTools(world.server.origin)],
];

describe.each(DRIVERS)('arguments over %s', (_, make) => {
  let client: Client;
  beforeAll(async () => {
    client = await make().connect(world.service);
  });
  afterAll(async () => {
    await client?.[Symbol.asyncDispose]();
  });

  it.each(BAD_ARGUMENTS)('with %s are refused and change nothing', async (_, args, field) => {
    const answer = await client.call('add_task', { user_id: people.alice, ...args });

    expect(answer).toMatchObject({ ok: false, error: { code: 'VALIDATION_ERROR', retryable: false } });
    if (answer.ok) return;
    expect(answer.error.message).toMatch(field);
    expect(JSON.stringify(answer.error)).not.toMatch(INSIDES);
    await unchanged();
  });

  it('of a tool outside the scopes of the token are refused and change nothing', async () => {
    await using reader = await make().connect(people.tokens.reader);

    const answer = await reader.call('add_task', { user_id: 'me', title: 'x' });

    expect(answer).toMatchObject({ ok: false, error: { code: 'insufficient_scope' } });
    await unchanged();
  });
});

type Bad = readonly [what: string, sent: () => Sent, status: number, code?: string | number];

const add = (revision: Revision = '2026-07-28') =>
  rpc(revision, 1, 'tools/call', { name: 'add_task', arguments: { user_id: people.alice, title: 'x' } });

const mcp = (changes: Partial<Sent> = {}, revision: Revision = '2026-07-28'): Sent => ({
  path: '/mcp/todo',
  body: JSON.stringify(add(revision)),
  ...changes,
  headers: { ...mcpHeaders(revision, world.service, add(revision)), ...changes.headers },
});

const rest = (changes: Partial<Sent> = {}): Sent => ({
  path: '/api/v1/tools/todo_add_task',
  body: JSON.stringify({ user_id: people.alice, title: 'x' }),
  ...changes,
  headers: { ...bearer(world.service), 'content-type': 'application/json', ...changes.headers },
});

const nested = (depth: number) => `{"user_id":"me","title":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
const huge = () => JSON.stringify({ user_id: people.alice, title: 'x'.repeat(2 * 1024 * 1024) });
const torn = () => Uint8Array.from([...Buffer.from('{"user_id":"me","title":"'), 0xc3, 0x28, ...Buffer.from('"}')]);
const withToken = (token: string) => ({ headers: bearer(token) });

const BOTH: readonly [where: string, make: (changes?: Partial<Sent>) => Sent][] = [
  ['MCP', mcp],
  ['REST', rest],
];

const ON_BOTH: readonly Bad[] = BOTH.flatMap(([where, make]): Bad[] => {
  const code = (word: string, number: number) => (where === 'MCP' ? number : word);
  return [
    [`invalid JSON to ${where}`, () => make({ body: '{"a":' }), 400, code('validation_error', -32700)],
    [`an empty body to ${where}`, () => make({ body: '' }), 400, code('validation_error', -32700)],
    [`invalid UTF-8 to ${where}`, () => make({ body: torn() }), 400, code('validation_error', -32700)],
    [`JSON of depth 65 to ${where}`, () => make({ body: nested(65) }), 400, code('validation_error', -32600)],
    [`2 MiB to ${where}`, () => make({ body: huge() }), 413],
    [`text/plain to ${where}`, () => make({ headers: { 'content-type': 'text/plain' } }), 415],
    [
      `a form to ${where}`,
      () => make({ headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'title=x' }),
      415,
    ],
    [`an unknown token to ${where}`, () => make(withToken('errand_user_0000000000000000000000000000000000')), 401],
    [`a token that is none to ${where}`, () => make(withToken('x')), 401],
    [`a revoked token to ${where}`, () => make(withToken(people.tokens.revoked)), 401],
    [`an expired token to ${where}`, () => make(withToken(people.tokens.expired)), 401],
    [`the token of a blocked user to ${where}`, () => make(withToken(people.tokens.blocked)), 401],
    [`Basic authorization to ${where}`, () => make({ headers: { authorization: 'Basic eDp5' } }), 401],
    [`no token to ${where}`, () => withoutToken(make()), 401],
    [
      `a token in the address to ${where}`,
      () => withoutToken({ ...make(), path: `${make().path}?access_token=${world.service}` }),
      401,
    ],
    [`Host: evil.com to ${where}`, () => make({ headers: { host: 'evil.com' } }), 403],
    [`Host: 127.0.0.1.evil.com to ${where}`, () => make({ headers: { host: '127.0.0.1.evil.com' } }), 403],
    [
      `Host and Origin both evil to ${where}`,
      () => make({ headers: { host: 'evil.com', origin: 'http://evil.com' } }),
      403,
    ],
    [`Origin: http://evil.com to ${where}`, () => make({ headers: { origin: 'http://evil.com' } }), 403],
    [`Origin: null to ${where}`, () => make({ headers: { origin: 'null' } }), 403],
    [
      `Origin: http://127.0.0.1.evil.com to ${where}`,
      () => make({ headers: { origin: 'http://127.0.0.1.evil.com' } }),
      403,
    ],
  ];
});

const withoutToken = ({ headers = {}, ...sent }: Sent): Sent => {
  const { authorization: _, ...others } = headers;
  return { ...sent, headers: others };
};

const call = (name: string) => rpc('2026-07-28', 1, 'tools/call', { name, arguments: {} });
const modern = (body: object, headers: Readonly<Record<string, string>> = {}) =>
  mcp({ body: JSON.stringify(body), headers });

const ELSEWHERE: readonly Bad[] = [
  ['an unknown tool by REST', () => rest({ path: '/api/v1/tools/todo_drop_tables' }), 404, 'unknown_tool'],
  ['an unknown path', () => rest({ path: '/api/v1/nothing' }), 404, 'not_found'],
  ['an unknown profile', () => mcp({ path: '/mcp/nothing' }), 404],
  ['a path that climbs', () => rest({ path: '/api/v1/../../../etc/passwd' }), 404],
  ['the wrong method by REST', () => rest({ method: 'PUT' }), 405, 'method_not_allowed'],
  ['PUT to MCP', () => mcp({ method: 'PUT' }), 405],
  ['DELETE to MCP', () => mcp({ method: 'DELETE' }), 405],
  [
    'an unknown tool by MCP 2025-11-25',
    () =>
      mcp(
        { body: JSON.stringify(rpc('2025-11-25', 1, 'tools/call', { name: 'drop_tables', arguments: {} })) },
        '2025-11-25',
      ),
    200,
    -32602,
  ],
  ['an unknown tool by MCP 2026-07-28', () => modern(call('drop_tables'), { 'mcp-name': 'drop_tables' }), 200, -32602],
  [
    'an unknown method by MCP 2026-07-28',
    () => modern(rpc('2026-07-28', 1, 'tools/drop'), { 'mcp-method': 'tools/drop' }),
    404,
    -32601,
  ],
  ['a batch by MCP 2025-11-25', () => mcp({ body: JSON.stringify([add('2025-11-25')]) }, '2025-11-25'), 400, -32600],
  ['a batch by MCP 2026-07-28', () => mcp({ body: JSON.stringify([add()]) }), 400, -32600],
  ['a number as JSON-RPC', () => mcp({ body: '7' }), 400, -32600],
  ['null as id', () => modern({ ...add(), id: null }), 400, -32600],
  ['another version of JSON-RPC', () => modern({ ...add(), jsonrpc: '1.0' }), 400, -32600],
  ['another name in the header', () => mcp({ headers: { 'mcp-name': 'list_tasks' } }), 400, -32020],
  ['another method in the header', () => mcp({ headers: { 'mcp-method': 'tools/list' } }), 400, -32020],
  [
    'an unknown revision in the header',
    () => mcp({ headers: { 'mcp-protocol-version': '1999-01-01' } }, '2025-11-25'),
    400,
  ],
];

describe('the server answers', () => {
  for (const [what, make, status, code] of [...ON_BOTH, ...ELSEWHERE]) {
    it(`${what} with ${status}, and nothing changes`, async () => {
      const received = await send(world.server.origin, make());

      expect(received.status, received.text).toBe(status);
      if (code !== undefined) expect(codeOf(received)).toBe(code);
      if (status === 401) expect(received.headers['www-authenticate']).toMatch(/^Bearer\b/);
      if (status === 405) expect(received.headers.allow).toMatch(/[A-Z]/);
      expect(received.text).not.toMatch(INSIDES);
      await unchanged();
    });
  }

  it('a request of both lengths with 400, and nothing changes', async () => {
    const body = JSON.stringify({ user_id: people.alice, title: 'smuggled' });
    const head = headOf('/api/v1/tools/todo_add_task', `Content-Length: ${body.length}`, 'Transfer-Encoding: chunked');

    const answer = await raw(`${head}${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`);

    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).not.toMatch(INSIDES);
    await unchanged();
  });

  it('an invalid chunk with 400, and nothing changes', async () => {
    const head = headOf('/mcp/todo', 'Transfer-Encoding: chunked');

    const answer = await raw(`${head}zz\r\n{}\r\n0\r\n\r\n`);

    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    await unchanged();
  });

  it('an incomplete body without success, and nothing changes', async () => {
    const head = headOf('/api/v1/tools/todo_add_task', 'Content-Length: 100');

    const answer = await raw(`${head}{"user_id":"me","title":"half`);

    expect(answer).not.toMatch(/^HTTP\/1\.1 2/);
    await unchanged();
  });

  it('a good request after all of that', async () => {
    const { status } = await send(world.server.origin, rest());

    expect(status).toBe(201);
  });
});

function codeOf({ text }: Received): unknown {
  const { error } = JSON.parse(text) as { error: { code: unknown } };
  return error.code;
}

const headOf = (path: string, ...headers: readonly string[]): string =>
  [
    `POST ${path} HTTP/1.1`,
    `Host: ${new URL(world.server.origin).host}`,
    `Authorization: Bearer ${world.service}`,
    'Content-Type: application/json',
    'Connection: close',
    ...headers,
    '',
    '',
  ].join('\r\n');

/** Sends bytes on a raw socket and half-closes it. Returns all received data. */
const raw = (bytes: string): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(Number(new URL(world.server.origin).port), '127.0.0.1');
    let answer = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(answer));
    socket.end(bytes);
  });
