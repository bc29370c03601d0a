import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** The server under test, with the tokens of the abusers. */
export interface Target {
  readonly port: number;
  /** The tokens: each abuser with a token has its own. */
  readonly tokens: readonly string[];
}

/** The strength of every abuser. */
export interface Force {
  /** Connections of each abuser. */
  readonly connections: number;
  readonly signal: AbortSignal;
}

type Abuse = (target: Target, force: Force) => Promise<void>;

const BIG = 900_000;
const LONG = 2 ** 30;

/** Opens a raw connection whose errors are ignored. */
async function open({ port }: Target, signal: AbortSignal): Promise<Socket | null> {
  if (signal.aborted) return null;
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => undefined);
  signal.addEventListener('abort', () => socket.destroy(), { once: true });
  await Promise.race([once(socket, 'connect').catch(() => undefined), once(socket, 'close')]);
  if (!socket.destroyed) return socket;
  await pause(50);
  return null;
}

const gone = (socket: Socket): Promise<unknown> =>
  socket.destroyed ? Promise.resolve() : once(socket, 'close').catch(() => undefined);

/** Waits until the server has read the sent data. Rejects when it cut the connection. */
const drained = (socket: Socket): Promise<unknown> => {
  const over = new AbortController();
  socket.once('close', () => over.abort());
  return once(socket, 'drain', { signal: over.signal }).finally(() => socket.removeAllListeners('close'));
};

/** Opens many connections that repeat the same action until the signal. */
const many =
  (work: (socket: Socket, index: number, target: Target) => Promise<void>): Abuse =>
  async (target, { connections, signal }) => {
    const one = async (index: number): Promise<void> => {
      while (!signal.aborted) {
        const socket = await open(target, signal);
        if (socket === null) continue;
        await work(socket, index, target).catch(() => undefined);
        socket.destroy();
        // Limit the rate of an abuser that is refused quickly.
        await pause(5);
      }
    };
    await Promise.all(Array.from({ length: connections }, (_, index) => one(index)));
  };

const head = (line: string, headers: Readonly<Record<string, string | number>>): string =>
  `${line} HTTP/1.1\r\nHost: 127.0.0.1\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;

const post = (path: string, token: string, body: string, extra: Readonly<Record<string, string>> = {}): string =>
  head(`POST ${path}`, {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'content-length': Buffer.byteLength(body),
    ...extra,
  }) + body;

/** Sends one request and waits for the beginning of its answer. */
async function exchange(socket: Socket, request: string): Promise<void> {
  socket.write(request);
  socket.resume();
  await Promise.race([once(socket, 'data'), gone(socket)]);
}

/** Sends without ever reading, and keeps the connection until it is cut. */
async function unread(socket: Socket, request: string): Promise<void> {
  socket.pause();
  socket.write(request);
  await gone(socket);
}

const rpc = (method: string, params: object, id = 1): object => ({ jsonrpc: '2.0', id, method, params });
const call = (name: string, args: object): object => rpc('tools/call', { name, arguments: args });
const tokenOf = ({ tokens }: Target, abuser: number): string => tokens[abuser % tokens.length] ?? '';

const LIST = JSON.stringify(call('list_tasks', { user_id: 'me', limit: 200 }));
const LISTS = JSON.stringify(Array.from({ length: 100 }, () => call('list_tasks', { user_id: 'me', limit: 200 })));
const REFUSED = JSON.stringify(call('add_task', { user_id: 'me', title: 'x'.repeat(BIG) }));
const NAMES = JSON.stringify(
  call('add_task', Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => [`k${i}`, i]))),
);
const VALUES = JSON.stringify(call('add_task', { user_id: 'me', title: JSON.stringify(Array(19_000).fill(1)) }));
const DEEP = JSON.stringify(rpc('tools/call', {})).replace('{}', '['.repeat(400_000));
const NAME = JSON.stringify(call('t'.repeat(BIG), {}));

/** The abusers by name. Each misuses the server in one way. */
export const ABUSERS: Readonly<Record<string, Abuse>> = {
  'batches of lists, not read': many((socket, _, target) =>
    unread(socket, post('/mcp/todo', tokenOf(target, 0), LISTS, { 'mcp-protocol-version': '2025-03-26' })),
  ),
  'lists, not read': many((socket, _, target) => unread(socket, post('/mcp/todo', tokenOf(target, 1), LIST))),
  'documents with an invented token, not read': many((socket, index) =>
    unread(socket, head('GET /openapi.json', { authorization: `Bearer errand_invented${index}` })),
  ),
  'documents without a token, not read': many((socket) => unread(socket, head('GET /openapi.json', {}))),
  'slow bodies of one token, spelt in many ways': many(async (socket, index, target) => {
    const authorization = `Bearer${' '.repeat((index % 50) + 1)}${tokenOf(target, 2)}`;
    socket.write(head('POST /mcp', { authorization, 'content-type': 'application/json', 'content-length': BIG }));
    while (!socket.destroyed) {
      socket.write('[');
      await pause(500);
    }
  }),
  'large bodies that are refused': many((socket, _, target) =>
    exchange(socket, post('/mcp/todo', tokenOf(target, 3), REFUSED)),
  ),
  'bodies of 60,000 names': many((socket, _, target) => exchange(socket, post('/mcp/todo', tokenOf(target, 4), NAMES))),
  'lists as text, deep JSON and long names': many((socket, index, target) =>
    exchange(socket, post('/mcp/todo', tokenOf(target, 5), [VALUES, DEEP, NAME][index % 3] ?? NAME)),
  ),
  'pages under many names': many((socket, index) =>
    exchange(socket, head('GET /docs/tools', {}).replace('127.0.0.1', `localhost:${(index % 60_000) + 1}`)),
  ),
  'wrong tokens': many((socket, index) => exchange(socket, post('/mcp', `errand_wrong${index}`, LIST))),
  'endless bodies without a token': many(async (socket) => {
    socket.resume();
    socket.write(head('POST /mcp', { 'content-type': 'application/json', 'content-length': LONG }));
    const piece = Buffer.alloc(64 * 1024, ' ');
    while (!socket.destroyed) {
      if (!socket.write(piece)) await drained(socket);
    }
  }),
  'slow headers': many(async (socket) => {
    socket.resume();
    socket.write('GET /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n');
    while (!socket.destroyed) {
      socket.write('x-a: b\r\n');
      await pause(500);
    }
  }),
  'event streams, not read': many((socket, _, target) =>
    unread(socket, head('GET /api/v1/events', { authorization: `Bearer ${tokenOf(target, 6)}` })),
  ),
};
