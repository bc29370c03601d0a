import {
  CLIENT_CAPABILITIES_META_KEY,
  type JSONRPCMessage,
  PROTOCOL_VERSION_META_KEY,
  type Server,
  type ServerContext,
  type StandardSchemaV1,
} from '@modelcontextprotocol/server';
import type { JsonObject } from '#json';
import { resolveOwner } from '#owner';
import { RpcFailure } from '#rpc-failure';
import { openInputs } from '#task';
import type { Tasks } from '#tasks';
import { METHOD_NOT_FOUND, type RpcNotification } from '#wire/json-rpc';
import { encodeQuestion, mayAsk, type Question, type TaskMethods2025 } from '#wire/rev-2025-11-25/index';
import type { TaskMethods2026 } from '#wire/rev-2026-07-28/index';
import { callerOf, type RequestorOf } from './caller.ts';
import { pollsOf } from './polls.ts';
import { readSession } from './session.ts';

export interface Needs {
  readonly tasks: Tasks;
  readonly rev2025: TaskMethods2025;
  readonly rev2026: TaskMethods2026;
  readonly requestorOf: RequestorOf;
}

type Method = (params: JsonObject, ctx: ServerContext) => Promise<JsonObject>;

/** Accepts any params: the methods check them. */
const PARAMS: StandardSchemaV1<unknown, JsonObject> = {
  // The value came as JSON.
  '~standard': { version: 1, vendor: 'errand', validate: (value) => ({ value: value as JsonObject }) },
};

/** True for a request of 2026. The body of a request names its protocol version. */
export const isModern = (ctx: ServerContext): boolean => envelopeOf(ctx)[PROTOCOL_VERSION_META_KEY] !== undefined;

/** Returns the capabilities that a client of 2026 declares with each request. */
export const declared = (ctx: ServerContext): unknown => envelopeOf(ctx)[CLIENT_CAPABILITIES_META_KEY];

const envelopeOf = ({ mcpReq }: ServerContext): Readonly<Record<string, unknown>> => mcpReq.envelope ?? {};

/** Registers `tasks/*`. The SDK itself refuses `tasks/result` and `tasks/list` to clients of 2026. */
export function addTaskMethods(server: Server, { tasks, rev2025, rev2026, requestorOf }: Needs): void {
  const { get, result } = createLegacyMethods(server, { tasks, rev2025, rev2026, requestorOf });
  const legacy = (params: JsonObject, ctx: ServerContext) => ({ params, requestor: requestorOf(callerOf(ctx)) });
  const modern = (params: JsonObject, ctx: ServerContext) => ({
    ...legacy(params, ctx),
    client_capabilities: declared(ctx),
  });

  const methods: Readonly<Record<string, Method>> = {
    'tasks/get': (params, ctx) => (isModern(ctx) ? rev2026.get(modern(params, ctx)) : get(params, ctx)),
    'tasks/cancel': (params, ctx) =>
      isModern(ctx) ? rev2026.cancel(modern(params, ctx)) : rev2025.cancel(legacy(params, ctx)),
    'tasks/result': result,
    'tasks/list': (params, ctx) => rev2025.list(legacy(params, ctx)),
    'tasks/update': async (params, ctx) => {
      if (!isModern(ctx)) throw new RpcFailure(METHOD_NOT_FOUND, 'Method not found');
      // The SDK removes the answers from the params.
      const { inputResponses } = ctx.mcpReq;
      return rev2026.update(
        modern({ ...params, ...(inputResponses && { inputResponses: inputResponses as JsonObject }) }, ctx),
      );
    },
  };
  for (const [name, method] of Object.entries(methods)) server.setRequestHandler(name, { params: PARAMS }, method);
}

/** Creates `tasks/get` and `tasks/result` of 2025, which send questions to the client. */
function createLegacyMethods(server: Server, { tasks, rev2025, requestorOf }: Needs) {
  const polls = pollsOf(tasks);

  /** Bypasses the SDK, which accepts answers only to its own questions, and only while the process lives. */
  const streamOf = ({ mcpReq, http }: ServerContext) => {
    const send = (message: Question | RpcNotification): void => {
      // The cast: the codecs make valid messages, but the SDK's types do not allow readonly values.
      const sent = server.transport?.send({ jsonrpc: '2.0', ...message } as JSONRPCMessage, {
        relatedRequestId: mcpReq.id,
      });
      sent?.catch((error: Error) => server.onerror?.(error));
    };
    const session = readSession(http?.req?.headers.get('mcp-session-id'));
    // The cast: the capabilities came as JSON, and their readers check every field.
    const client_capabilities = session ?? (server.getClientCapabilities() as JsonObject | undefined);
    return { client_capabilities, ask: send, notify: send };
  };

  async function askPolling(task_id: string, ctx: ServerContext): Promise<void> {
    const caller = callerOf(ctx);
    const { client_capabilities = {}, ask } = streamOf(ctx);
    const record = await tasks.get(resolveOwner(requestorOf(caller), tasks.limits), task_id);
    for (const [key, request] of Object.entries(openInputs(record))) {
      const question = mayAsk(client_capabilities, request) ? encodeQuestion(record, key) : null;
      if (question !== null && polls.see(caller.sessionId ?? '', question.id)) ask(question);
    }
  }

  return {
    get: async (params: JsonObject, ctx: ServerContext): Promise<JsonObject> => {
      const task = await rev2025.get({ params, requestor: requestorOf(callerOf(ctx)) });
      if (task.status === 'input_required' && !polls.isFollowed(task.taskId)) await askPolling(task.taskId, ctx);
      return task;
    },
    result: (params: JsonObject, ctx: ServerContext): Promise<JsonObject> =>
      polls.follow(String(params.taskId), () =>
        rev2025.result(
          { params, requestor: requestorOf(callerOf(ctx)) },
          { ...streamOf(ctx), signal: ctx.mcpReq.signal },
        ),
      ),
  };
}
