import { expect } from 'vitest';
import { ERRORS, type ErrorCode } from '../../../packages/server/src/errors.ts';
import type { WireError } from '../../../packages/server/src/gateway/gateway.ts';
import type { Answer, Arguments } from '../client.ts';
import { mcpPost } from '../drivers/mcp-http.ts';
import { initialize, type Revision, type Rpc, rpc } from '../drivers/mcp-messages.ts';
import { openPipes } from '../drivers/mcp-stdio.ts';
import { answerOf, resultOf } from '../drivers/mcp-wire.ts';
import { bearer, type Received, send, sendJson } from '../http.ts';
import { type Place, placeFlags } from '../program.ts';
import { documentedTools } from './documented-tools.ts';
import type { Fields } from './site.ts';

/** A listed tool, with its schemas. */
export interface ListedTool {
  readonly name: string;
  readonly inputSchema: Fields;
  readonly outputSchema: Fields;
}

/** A client of the board on one transport. */
export interface BoardClient extends AsyncDisposable {
  readonly list: () => Promise<readonly ListedTool[]>;
  readonly call: (tool: string, args: Arguments) => Promise<Answer>;
}

interface Address {
  readonly origin: string;
  readonly place: Place;
}

/** One of the ways into the board. */
export interface Way {
  readonly name: string;
  /** True for MCP, where each caller sees only its own tools. REST documents all tools. */
  readonly is_mcp: boolean;
  readonly connect: (address: Address, token: string) => Promise<BoardClient>;
}

type Exchange = (method: string, params: Arguments) => Promise<Fields | WireError>;

const isRefusal = (result: Fields | WireError): result is WireError => 'correlation_id' in result;

const mcpClient = (exchange: Exchange, close: () => Promise<void>): BoardClient => ({
  list: async () => ((await exchange('tools/list', {})) as { readonly tools: readonly ListedTool[] }).tools,
  call: async (name, args) => {
    const result = await exchange('tools/call', { name, arguments: args });
    return isRefusal(result) ? { ok: false, error: result } : answerOf(result);
  },
  [Symbol.asyncDispose]: close,
});

const refusalOf = ({ text }: Pick<Received, 'text'>): WireError => (JSON.parse(text) as { error: WireError }).error;

const overHttp = (revision: Revision, path: string): Way => ({
  name: `MCP ${revision} at ${path}`,
  is_mcp: true,
  connect: async ({ origin }, token) => {
    let last = 0;
    const post = async (message: Rpc): Promise<Fields | WireError> => {
      const received = await mcpPost(origin, path, token, revision, message);
      if (received.status === 401) return refusalOf(received);
      expect(received.status, received.text).toBe(200);
      return resultOf(revision, message, received.text);
    };
    if (revision !== '2026-07-28') await post(initialize(revision, ++last));
    return mcpClient(
      (method, params) => post(rpc(revision, ++last, method, params)),
      async () => {},
    );
  },
});

/** `errand mcp` beside the server, on the same data: the server runs the attempts that it starts. */
export const overStdio = (revision: Revision, env: Readonly<Record<string, string>> = {}): Way => ({
  name: `MCP ${revision} over stdio`,
  is_mcp: true,
  connect: async ({ place }, token) => {
    const args = ['--profile', 'board', ...placeFlags(place)];
    const pipes = await openPipes({ revision, args, env: { ERRAND_TOKEN: token, ...env } });
    return mcpClient(
      async (method, params) => {
        const { sent, text } = await pipes.ask(method, params);
        const { error } = JSON.parse(text) as { readonly error?: { readonly data?: WireError } };
        return error?.data?.code === 'unauthenticated' ? error.data : resultOf(revision, sent, text);
      },
      async () => pipes[Symbol.asyncDispose](),
    );
  },
});

function restAnswer(received: Received, created: boolean): Answer {
  const body = JSON.parse(received.text) as Fields;
  if (received.status < 300) {
    expect(received.status).toBe(created ? 201 : 200);
    return { ok: true, value: body };
  }
  const error = refusalOf(received);
  // The cast: this profile uses only codes of the table.
  expect(ERRORS[error.code as ErrorCode].status, received.text).toBe(received.status);
  return { ok: false, error };
}

const CREATING = new Set(['create_task', 'start_task_attempt', 'add_review_comment', 'send_message', 'ask_person']);

const restClient = (origin: string, ask: (tool: string, args: Arguments) => Promise<Received>): BoardClient => ({
  list: async () => documentedTools(origin),
  call: async (tool, args) => restAnswer(await ask(tool, args), CREATING.has(tool)),
  [Symbol.asyncDispose]: async () => {},
});

/** Every tool by its name. */
export const overRest: Way = {
  name: 'REST by tool name',
  is_mcp: false,
  connect: async ({ origin }, token) =>
    restClient(origin, (tool, args) => sendJson(origin, `/api/v1/tools/${tool}`, token, args)),
};

const inQuery = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

/** Every tool at the route that the server documents. */
const overRoutes: Way = {
  name: 'REST by route',
  is_mcp: false,
  connect: async ({ origin }, token) => {
    const tools = new Map((await documentedTools(origin)).map((tool) => [tool.name, tool]));
    return restClient(origin, (name, args) => {
      const { method, path } = tools.get(name) ?? expect.unreachable(`${name} has no route`);
      const left = new Map(Object.entries(args));
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, field: string) => {
        const value = encodeURIComponent(String(left.get(field)));
        left.delete(field);
        return value;
      });
      if (method !== 'GET' && method !== 'DELETE') {
        return sendJson(origin, filled, token, Object.fromEntries(left), method);
      }
      const query = new URLSearchParams([...left].map(([field, value]): [string, string] => [field, inQuery(value)]));
      return send(origin, { method, path: `${filled}?${query}`, headers: bearer(token) });
    });
  },
};

const OLD = '2025-11-25';
const NEW = '2026-07-28';

/** The ways that the contract names, each by itself. */
export const WAYS: readonly Way[] = [
  overHttp(OLD, '/mcp/board'),
  overHttp(NEW, '/mcp/board'),
  overStdio(OLD),
  overRest,
  overRoutes,
];

/** The same tools beside those of other profiles, and stdio in the newer revision. */
export const OTHER_WAYS: readonly Way[] = [overHttp(OLD, '/mcp'), overHttp(NEW, '/mcp'), overStdio(NEW)];
