import {
  CLIENT_CAPABILITIES_META_KEY,
  type McpHandlerRequestOptions,
  PROTOCOL_VERSION_META_KEY,
  readRequestBody,
} from '@modelcontextprotocol/server';
import { isObject } from '#json';
import { RpcFailure } from '#rpc-failure';
import type { Tasks } from '#tasks';
import { createTaskMethods2026, MISSING_CAPABILITY } from '#wire/rev-2026-07-28/index';
import { type RequestorOf, requestorOfCaller } from './caller.ts';
import { ListenStream } from './listen-stream.ts';
import { mintSession } from './session.ts';

/** The part of the result of `createMcpHandler` that is needed here. */
export interface HttpHandler {
  readonly fetch: (request: Request, options?: McpHandlerRequestOptions) => Promise<Response>;
  readonly close: () => Promise<void>;
}

export interface TaskStreamsOptions {
  readonly tasks: Tasks;
  /** Returns the requestor of a caller. Use the same function as for `withTasks`. */
  readonly requestorOf?: RequestorOf;
}

const REVISION = '2026-07-28';
const MAX_STREAMS = 1_024;
const STREAM_HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
};

/**
 * Wraps `createMcpHandler` and adds what the SDK lacks: `subscriptions/listen` for tasks, and sessions of
 * 2025 that contain the client's capabilities. Without them a task cannot send its questions to the client.
 */
export function withTaskStreams(handler: HttpHandler, options: TaskStreamsOptions): HttpHandler {
  const { tasks, requestorOf = requestorOfCaller } = options;
  const methods = createTaskMethods2026({ tasks });
  const streams = new Set<ListenStream>();

  async function listen({ id, params }: Message, { authInfo }: McpHandlerRequestOptions): Promise<Response> {
    try {
      const client_capabilities = metaOf(params)[CLIENT_CAPABILITIES_META_KEY];
      const subscription = await methods.subscribe({
        params,
        requestor: requestorOf({ authInfo }),
        client_capabilities,
      });
      if (streams.size >= MAX_STREAMS) throw new RpcFailure(-32603, 'Too many streams are open. Try again later.');
      const stream = new ListenStream(id, subscription, (ended) => streams.delete(ended));
      streams.add(stream);
      return new Response(stream.body, { headers: STREAM_HEADERS });
    } catch (error) {
      if (error instanceof RpcFailure) return refusal(id, error);
      throw error;
    }
  }

  return {
    fetch: async (request, given = {}) => {
      const parsedBody = given.parsedBody ?? (await readJson(request));
      if (isMessage(parsedBody) && asksForTasks(request, parsedBody)) return listen(parsedBody, given);
      const response = await handler.fetch(request, parsedBody === undefined ? given : { ...given, parsedBody });
      if (isMessage(parsedBody) && parsedBody.method === 'initialize' && response.ok) {
        response.headers.set('Mcp-Session-Id', mintSession(parsedBody.params.capabilities));
      }
      return response;
    },
    close: async () => {
      for (const stream of streams) stream.close();
      await handler.close();
    },
  };
}

interface Message {
  readonly id: string | number;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

const isMessage = (body: unknown): body is Message =>
  isObject(body) &&
  (typeof body.id === 'string' || typeof body.id === 'number') &&
  typeof body.method === 'string' &&
  isObject(body.params);

/** Parses the body; undefined if it is too large or not JSON: the SDK then refuses it. */
async function readJson(request: Request): Promise<unknown> {
  if (request.method !== 'POST') return undefined;
  const read = await readRequestBody(request.clone());
  try {
    return read.tooLarge ? undefined : JSON.parse(read.text);
  } catch {
    return undefined;
  }
}

/** True for a request that follows tasks. If its headers contradict its body, the SDK gets it and refuses it. */
const asksForTasks = ({ headers }: Request, { method, params }: Message): boolean =>
  method === 'subscriptions/listen' &&
  isObject(params.notifications) &&
  params.notifications.taskIds !== undefined &&
  headers.get('mcp-method') === method &&
  headers.get('mcp-protocol-version') === REVISION &&
  metaOf(params)[PROTOCOL_VERSION_META_KEY] === REVISION;

const metaOf = ({ _meta }: Message['params']): Readonly<Record<string, unknown>> => (isObject(_meta) ? _meta : {});

function refusal(id: string | number, { fault }: RpcFailure): Response {
  const body = { jsonrpc: '2.0', id, error: fault };
  return Response.json(body, { status: fault.code === MISSING_CAPABILITY ? 400 : 200 });
}
