import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { execPath } from 'node:process';
import { createInterface } from 'node:readline';
import { expect } from 'vitest';
import type { WireError } from '../../../packages/server/src/gateway/gateway.ts';
import { catalog } from '../../../packages/server/src/tools/catalog.ts';
import type { Answer, Arguments } from '../client.ts';
import { initialize, mcpHeaders, type Revision, type Rpc, rpc } from '../drivers/mcp-messages.ts';
import { answerOf, resultOf } from '../drivers/mcp-wire.ts';
import { bearer, type Received, type Sent, send } from '../http.ts';
import { cleanEnvironment, ERRAND, type Place, placeFlags } from '../program.ts';

export type Listing =
  | { readonly ok: true; readonly tools: readonly string[] }
  | { readonly ok: false; readonly error: Pick<WireError, 'code'> };

/** A client of the gateway on one transport, with or without a token. */
export interface AgentClient extends AsyncDisposable {
  /** Returns the tasker tools that it can see. */
  readonly list: () => Promise<Listing>;
  readonly call: (tool: string, args: Arguments) => Promise<Answer>;
}

/** One of the ways into the gateway. */
export interface Way {
  readonly name: string;
  /** True when a caller without a token is served: on stdio it is the owner of the machine. */
  readonly takes_strangers: boolean;
  readonly connect: (token: string | null) => Promise<AgentClient>;
}

const isTasker = (name: string): boolean => name.startsWith('tasker_');

let addresses = 0;

/** Returns a new address per client: the server slows down an address with many wrong tokens. */
const nextAddress = (): string => {
  addresses += 1;
  return `127.0.${1 + Math.floor(addresses / 250)}.${1 + (addresses % 250)}`;
};

const refusalOf = ({ status, text }: Received): Extract<Answer, { ok: false }> => {
  expect(status, text).toBe(401);
  return { ok: false, error: (JSON.parse(text) as { error: WireError }).error };
};

const toolsIn = (result: Readonly<Record<string, unknown>>): readonly string[] =>
  (result.tools as readonly { readonly name: string }[]).map(({ name }) => name).filter(isTasker);

/** MCP over HTTP, without a handshake: an invalid token could not make one, and the server keeps no session. */
export const overHttp = (revision: Revision, origin: string, path: string): Way => ({
  name: `MCP ${revision} over HTTP at ${path}`,
  takes_strangers: true,
  connect: async (token) => {
    const local_address = nextAddress();
    let last = 0;
    const exchange = async (method: string, params: Arguments) => {
      const message = rpc(revision, ++last, method, params);
      const { authorization, ...others } = mcpHeaders(revision, token ?? '', message);
      const headers = token === null ? others : { authorization, ...others };
      const received = await send(origin, { path, headers, local_address, body: JSON.stringify(message) });
      if (received.status === 401) return refusalOf(received);
      expect(received.status, received.text).toBe(200);
      return { ok: true as const, result: resultOf(revision, message, received.text) };
    };
    return {
      list: async () => {
        const got = await exchange('tools/list', {});
        return got.ok ? { ok: true, tools: toolsIn(got.result) } : got;
      },
      call: async (tool, args) => {
        const got = await exchange('tools/call', { name: tool, arguments: args });
        return got.ok ? answerOf(got.result) : got;
      },
      [Symbol.asyncDispose]: async () => {},
    };
  },
});

type Request = Pick<Sent, 'method' | 'path' | 'body'>;

/** REST, with the list of tools from the setup of the session. */
const rest = (name: string, origin: string, requestOf: (tool: string, args: Arguments) => Request): Way => ({
  name,
  takes_strangers: true,
  connect: async (token) => {
    const local_address = nextAddress();
    const headers = { 'content-type': 'application/json', ...(token === null ? {} : bearer(token)) };
    return {
      list: async () => {
        const path = '/api/v1/agent-session/setup';
        const received = await send(origin, { method: 'GET', path, headers, local_address });
        if (received.status === 401) return refusalOf(received);
        expect(received.status, received.text).toBe(200);
        return { ok: true, tools: toolsIn(JSON.parse(received.text)) };
      },
      call: async (tool, args) => {
        const received = await send(origin, { ...requestOf(tool, args), headers, local_address });
        const body = JSON.parse(received.text) as Record<string, unknown>;
        if (received.status < 300) return { ok: true, value: body };
        expect(Object.keys(body), received.text).toEqual(['error']);
        return { ok: false, error: body.error as WireError };
      },
      [Symbol.asyncDispose]: async () => {},
    };
  },
});

/** Every tool by its name. */
export const overRest = (origin: string): Way =>
  rest('REST by name', origin, (tool, args) => ({ path: `/api/v1/tools/${tool}`, body: JSON.stringify(args) }));

/** Every tool at its route. */
export const overRoutes = (origin: string): Way =>
  rest('REST by route', origin, (name, args) => {
    const [method = 'GET', route = ''] = catalog.find((tool) => tool.full_name === name)?.route.split(' ') ?? [];
    const left = new Map(Object.entries(args));
    const filled = route.replaceAll(/\{(\w+)\}/g, (_, field: string) => {
      const value = encodeURIComponent(String(left.get(field)));
      left.delete(field);
      return value;
    });
    const path = `/api/v1${filled}`;
    if (method !== 'GET') return { method, path, body: JSON.stringify(Object.fromEntries(left)) };
    const query = new URLSearchParams([...left].map(([field, value]): [string, string] => [field, String(value)]));
    return { method, path: `${path}?${query}` };
  });

/** `errand mcp` with the token in its environment. */
export const overStdio = (revision: Revision, place: Place): Way => ({
  name: `MCP ${revision} over stdio`,
  takes_strangers: false,
  connect: async (token) => {
    const child = spawn(execPath, [ERRAND, 'mcp', '--profile', 'tasker', ...placeFlags(place)], {
      env: cleanEnvironment(token === null ? {} : { ERRAND_TOKEN: token }),
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const ended = once(child, 'close');
    const waiting = new Map<number, PromiseWithResolvers<string>>();
    createInterface({ input: child.stdout }).on('line', (line) => {
      waiting.get((JSON.parse(line) as { id: number }).id)?.resolve(line);
    });
    void ended.then(([code]) => {
      for (const { reject } of waiting.values()) reject(new Error(`errand mcp ended with ${code}`));
    });
    let last = 0;
    const exchange = async (message: Rpc) => {
      const answer = Promise.withResolvers<string>();
      waiting.set(message.id, answer);
      child.stdin.write(`${JSON.stringify(message)}\n`);
      const line = await answer.promise;
      waiting.delete(message.id);
      const { error } = JSON.parse(line) as { error?: { readonly data?: WireError } };
      if (error?.data?.code === 'unauthenticated') return { ok: false as const, error: error.data };
      return { ok: true as const, result: resultOf(revision, message, line) };
    };
    if (revision !== '2026-07-28') {
      await exchange(initialize(revision, ++last));
      child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    }
    return {
      list: async () => {
        const got = await exchange(rpc(revision, ++last, 'tools/list', {}));
        return got.ok ? { ok: true, tools: toolsIn(got.result) } : got;
      },
      call: async (tool, args) => {
        const got = await exchange(rpc(revision, ++last, 'tools/call', { name: tool, arguments: args }));
        return got.ok ? answerOf(got.result) : got;
      },
      [Symbol.asyncDispose]: async () => {
        child.stdin.end();
        await ended;
      },
    };
  },
});

/** Returns the transports that the gateway's contract names, with REST in both forms. */
export const waysInto = (origin: string, place: Place): readonly Way[] => [
  overHttp('2025-06-18', origin, '/mcp'),
  overHttp('2025-11-25', origin, '/mcp/tasker'),
  overHttp('2026-07-28', origin, '/mcp'),
  overStdio('2025-11-25', place),
  overRest(origin),
  overRoutes(origin),
];
