import {
  isInputRequiredResult,
  isJSONRPCErrorResponse,
  isJSONRPCResultResponse,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type JSONRPCResultResponse,
  PROTOCOL_VERSION_META_KEY,
  type RequestId,
} from '@modelcontextprotocol/server';
import { isObject, type JsonObject } from '#json';
import type { RpcFault } from '#task';
import { INVALID_PARAMS } from '#wire/json-rpc';
import { type TaskSupport, toolExecution } from '#wire/rev-2025-11-25/index';

export type Reply = { readonly result: JsonObject } | { readonly error: RpcFault };

/** A request that the SDK is handling, in its original form. */
export interface Call {
  readonly request: JSONRPCRequest;
  readonly is_modern: boolean;
  /** Sent instead of the SDK's answer. */
  reply?: Reply;
  /** Called when the SDK ends a call whose task has not ended, and will not resume it. */
  abandon?: () => void;
}

type Response = JSONRPCResultResponse | JSONRPCErrorResponse;

/** Remembers requests until they are answered, and adds to the answers what the SDK would drop. */
export function createCalls(supportOf: (tool: string) => TaskSupport) {
  const calls = new Map<RequestId, Call>();

  function answer(call: Call, response: Response): JSONRPCMessage {
    const { request, reply, abandon } = call;
    if (!comesBack(response)) abandon?.();
    if (reply !== undefined) return replyTo(request.id, reply, response);
    if (!isJSONRPCResultResponse(response)) return response;
    if (request.method === 'tools/list') return withExecution(response, supportOf);
    if (request.method === 'server/discover') return withoutTasks(response, ['experimental']);
    if (request.method === 'initialize')
      return withoutTasks(response, isOfTasks(response) ? [] : ['experimental', 'own']);
    return wishesTask(call) ? refusal(response) : response;
  }

  return {
    get: (id: RequestId): Call | undefined => calls.get(id),
    remember: (request: JSONRPCRequest): Call => {
      const call: Call = { request, is_modern: isModernRequest(request) };
      calls.set(request.id, call);
      return call;
    },
    forget: (id: RequestId): void => {
      calls.delete(id);
    },
    /** Returns the message to send instead of the given one. */
    answer: (message: JSONRPCMessage): JSONRPCMessage => {
      if (!isJSONRPCResultResponse(message) && !isJSONRPCErrorResponse(message)) return message;
      const call = message.id === undefined ? undefined : calls.get(message.id);
      if (call === undefined) return message;
      calls.delete(call.request.id);
      return answer(call, message);
    },
  };
}

/** True when the SDK's answer to the request may have to be changed. */
export const isChanged = ({ method }: JSONRPCRequest): boolean =>
  method.startsWith('tools/') || method === 'initialize' || method === 'server/discover';

/** True for 2025-11-25, the only revision with tasks in its capabilities. The SDK registers them for all. */
const isOfTasks = ({ result }: JSONRPCResultResponse): boolean => result.protocolVersion === '2025-11-25';

function withoutTasks(response: JSONRPCResultResponse, where: readonly ('own' | 'experimental')[]): JSONRPCMessage {
  const { capabilities } = response.result;
  if (!isObject(capabilities) || where.length === 0) return response;
  const { tasks, experimental, ...others } = capabilities;
  const { tasks: _, ...others_experimental } = isObject(experimental) ? experimental : {};
  const kept = {
    ...others,
    ...(tasks !== undefined && !where.includes('own') && { tasks }),
    ...(Object.keys(others_experimental).length > 0 && { experimental: others_experimental }),
  };
  return { ...response, result: { ...response.result, capabilities: kept } };
}

/** True for a request of 2026. The body of a request names its protocol version. */
const isModernRequest = ({ params }: JSONRPCRequest): boolean =>
  isObject(params?._meta) && params._meta[PROTOCOL_VERSION_META_KEY] !== undefined;

export const wishesTask = ({ request, is_modern }: Call): boolean =>
  !is_modern && request.method === 'tools/call' && request.params?.task !== undefined;

const comesBack = (response: Response): boolean =>
  isJSONRPCResultResponse(response) && isInputRequiredResult(response.result);

/** The cast: codecs make valid JSON-RPC, but the SDK's types do not allow readonly values. */
export const toMessage = (id: RequestId, reply: Reply): JSONRPCMessage =>
  ({ jsonrpc: '2.0', id, ...reply }) as JSONRPCMessage;

function replyTo(id: RequestId, reply: Reply, response: Response): JSONRPCMessage {
  // The SDK puts the server's identity into `_meta`.
  const stamp = isJSONRPCResultResponse(response) ? response.result._meta : undefined;
  if ('error' in reply || stamp === undefined) return toMessage(id, reply);
  const own = reply.result._meta;
  // The cast: `_meta` of an answer is JSON.
  return toMessage(id, { result: { ...reply.result, _meta: { ...(stamp as JsonObject), ...(isObject(own) && own) } } });
}

function withExecution(response: JSONRPCResultResponse, supportOf: (tool: string) => TaskSupport): JSONRPCMessage {
  const { tools } = response.result;
  if (!Array.isArray(tools)) return response;
  const listed = tools.map((tool: unknown) => {
    if (!isObject(tool)) return tool;
    const support = supportOf(String(tool.name));
    return support === 'forbidden' ? tool : { ...tool, execution: toolExecution(support) };
  });
  return { ...response, result: { ...response.result, tools: listed } };
}

/** Turns the SDK's tool result for bad arguments into an error: a client that asked for a task cannot read it. */
function refusal({ id, result }: JSONRPCResultResponse): JSONRPCMessage {
  const content: readonly unknown[] = Array.isArray(result.content) ? result.content : [];
  const words = content.flatMap((block) => (isObject(block) && typeof block.text === 'string' ? [block.text] : []));
  const message = words.join('\n') || 'The tool did not start a task.';
  return { jsonrpc: '2.0', id, error: { code: INVALID_PARAMS, message } };
}
