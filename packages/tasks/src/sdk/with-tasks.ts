import {
  type CallToolResult,
  type InputRequiredResult,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  type McpServer,
  type MessageExtraInfo,
  type Server,
  type ServerCapabilities,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { TaskError } from '#errors';
import type { JsonObject } from '#json';
import type { TaskLimits } from '#limits';
import { type Requestor, resolveOwner } from '#owner';
import { RpcFailure } from '#rpc-failure';
import { isTerminal } from '#task';
import type { Tasks } from '#tasks';
import { answering, METHOD_NOT_FOUND } from '#wire/json-rpc';
import {
  createTaskMethods2025,
  declareTasks as declareTasks2025,
  readQuestionId,
  serverTaskCapabilities,
  type TaskSupport,
} from '#wire/rev-2025-11-25/index';
import { createTaskMethods2026, declareTasks as declareTasks2026 } from '#wire/rev-2026-07-28/index';
import { callerOf, type RequestorOf, requestorOfCaller, sessionOf } from './caller.ts';
import { type Call, createCalls, isChanged, toMessage, wishesTask } from './calls.ts';
import { interceptTransport } from './intercept-transport.ts';
import { callPlainly, plainResult } from './plain-call.ts';
import { addTaskMethods, declared } from './task-methods.ts';

export interface DurableTool {
  /** `optional` unless given. */
  readonly task_support?: TaskSupport;
  /** The text that the model gets while the task runs (2025). */
  readonly immediate_response?: string;
}

export interface WithTasksOptions {
  readonly tasks: Tasks;
  /** Returns the requestor of a caller. The default uses `authInfo` and the session. */
  readonly requestorOf?: RequestorOf;
  readonly tools?: Readonly<Record<string, DurableTool>>;
}

/** Runs a tool of `tasks` for a call: as a task if the client accepts one, else to its end within the call. */
export type RunTool = (
  tool: string,
  args: Readonly<Record<string, unknown>>,
  ctx: ServerContext,
) => Promise<CallToolResult | InputRequiredResult>;

/** A placeholder that no client sees. With `isError` the SDK requires no structured content. */
const REPLACED: CallToolResult = { content: [], isError: true };

// The SDK sends each generation its own part. The cast: the SDK's types do not allow readonly values.
const CAPABILITIES = {
  ...declareTasks2025(serverTaskCapabilities.full()),
  ...declareTasks2026(),
} as ServerCapabilities;

/**
 * Adds durable tasks of both generations to a server of the SDK. Call it before the server is connected. Call the
 * returned function in the handlers of the durable tools.
 */
export function withTasks(target: Server | McpServer, options: WithTasksOptions): RunTool {
  const { tasks, requestorOf = requestorOfCaller, tools = {} } = options;
  const server = 'server' in target ? target.server : target;
  const rev2025 = createTaskMethods2025({ tasks });
  const rev2026 = createTaskMethods2026({ tasks });
  const supportOf = (tool: string): TaskSupport =>
    tasks.knows(tool) ? (tools[tool]?.task_support ?? 'optional') : 'forbidden';
  const calls = createCalls(supportOf);

  server.registerCapabilities(CAPABILITIES);
  addTaskMethods(server, { tasks, rev2025, rev2026, requestorOf });

  const connect = server.connect.bind(server);
  server.connect = (transport) => connect(interceptTransport(transport, { receive, send: calls.answer }));

  function receive(message: JSONRPCMessage, extra: MessageExtraInfo | undefined): boolean {
    if (isJSONRPCRequest(message)) return isChanged(message) && receiveCall(calls.remember(message));
    if (isJSONRPCNotification(message)) {
      if (message.method === 'notifications/cancelled') forget(message.params);
      return false;
    }
    if (!isJSONRPCResponse(message) || readQuestionId(message.id) === null) return false;
    const requestor = requestorOf({
      authInfo: extra?.authInfo,
      sessionId: server.transport?.sessionId ?? sessionOf(extra?.request),
    });
    rev2025.answer({ ...message, id: message.id }, requestor).catch((error: Error) => server.onerror?.(error));
    return true;
  }

  /** Refuses a task for a tool that forbids tasks: the SDK would run it as a plain call. */
  function receiveCall(call: Call): boolean {
    const { id, params } = call.request;
    if (!wishesTask(call) || supportOf(String(params?.name)) !== 'forbidden') return false;
    const error = { code: METHOD_NOT_FOUND, message: 'This tool does not run as a task. Call it without `task`.' };
    server.transport?.send(toMessage(id, { error })).catch((reason: Error) => server.onerror?.(reason));
    return true;
  }

  const forget = (params: Readonly<Record<string, unknown>> = {}): void => {
    const { requestId: id } = params;
    if (typeof id === 'string' || typeof id === 'number') calls.forget(id);
  };

  function createTask(call: Call, tool: string, args: JsonObject, ctx: ServerContext): Promise<JsonObject | null> {
    const { task_support = 'optional', immediate_response } = tools[tool] ?? {};
    // The arguments as the SDK has validated them.
    const params = { ...call.request.params, name: tool, arguments: args };
    const request = { params, requestor: requestorOf(callerOf(ctx)), task_support };
    if (call.is_modern) return rev2026.call({ ...request, client_capabilities: declared(ctx) });
    return rev2025.call({ ...request, ...(immediate_response !== undefined && { immediate_response }) });
  }

  function callWithoutTask(call: Call, tool: string, args: JsonObject, ctx: ServerContext) {
    return answering(async () => {
      const owner_id = plainOwner(requestorOf(callerOf(ctx)), tasks.limits);
      const task = await callPlainly(tasks, { owner_id, tool, arguments: args }, ctx);
      const { task_id } = task;
      if (isTerminal(task.status)) delete call.abandon;
      else call.abandon = () => void tasks.cancel(owner_id, task_id).catch((error: Error) => server.onerror?.(error));
      return plainResult(task);
    });
  }

  return async (tool, args, ctx) => {
    const call = calls.get(ctx.mcpReq.id);
    if (call === undefined) throw new Error('This runs within tools/call only, on a server that withTasks was given.');
    // The cast: the arguments came as JSON and passed the tool's schema.
    const json = args as JsonObject;
    try {
      const created = await createTask(call, tool, json, ctx);
      if (created === null) return await callWithoutTask(call, tool, json, ctx);
      call.reply = { result: created };
    } catch (error) {
      if (!(error instanceof RpcFailure)) throw error;
      call.reply = { error: error.fault };
    }
    return REPLACED;
  };
}

/**
 * Returns the owner of a plain call's task, which the requestor's list does not show. An anonymous requestor
 * is allowed too: the only handle is an id that cannot be guessed, and only this call knows it.
 */
function plainOwner(requestor: Requestor, limits: TaskLimits): string {
  try {
    return `plain:${resolveOwner(requestor, limits)}`;
  } catch (error) {
    if (error instanceof TaskError && error.code === 'anonymous') return 'plain:';
    throw error;
  }
}
