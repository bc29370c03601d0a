import { Call, type Channel, isLogLevel } from './call.ts';
import { asRpcError, createFailures, type Failures, type Report } from './failures.ts';
import type { McpHost } from './host.ts';
import { isObject } from './json.ts';
import { errorText, type RpcRequest, type RpcResponse, resultText } from './json-rpc.ts';
import { methodNotFound } from './methods.ts';
import { createRevision2025 } from './rev-2025/revision.ts';
import { taskMethods } from './rev-2025/task-methods.ts';
import { readInput } from './rev-2026/input.ts';
import { createRevision2026 } from './rev-2026/revision.ts';
import type { Revision } from './revision.ts';
import type { Session } from './sessions.ts';
import { ownerOf, requestorOf } from './task-requestor.ts';
import { traceIdOf } from './trace.ts';
import { CLIENT_CAPABILITIES, LOG_LEVEL, UNNAMED_VERSION, VERSION_2026 } from './versions.ts';

/** A host with the revisions of both generations. */
export interface Wire<Caller> {
  readonly host: McpHost<Caller>;
  readonly revision_2025: Revision;
  readonly revision_2026: Revision;
  /** Takes a client's answer to a question of a task, which may run in another process; false for any other answer. */
  readonly takeAnswer: ((response: RpcResponse, caller: Caller, session: Session | null) => Promise<boolean>) | null;
  readonly report: Report;
  readonly failures: Failures;
}

export interface WireOptions {
  /** Called with errors whose cause the client does not get. */
  readonly report?: Report;
  readonly failures?: Failures;
}

export interface Reply {
  readonly status: number;
  readonly text: string;
}

export interface Arrival<Caller> {
  readonly request: RpcRequest;
  readonly caller: Caller;
  readonly channel: Channel;
  /** The `traceparent` header of an HTTP request. */
  readonly traceparent?: string | readonly string[] | undefined;
  /** The `user-agent` header of an HTTP request. */
  readonly user_agent?: string | undefined;
  /** The id of the HTTP request, for calls whose client names no trace. */
  readonly request_id?: string | undefined;
  /** The version in the header of a 2025 client. The version of a session takes precedence. */
  readonly version?: string | undefined;
}

export function createWire<Caller>(host: McpHost<Caller>, options: WireOptions): Wire<Caller> {
  const { report = () => undefined, failures = createFailures(report) } = options;
  const { tasks: part } = host;
  return {
    host,
    revision_2025: createRevision2025(part !== undefined),
    revision_2026: createRevision2026(host.server_info, part !== undefined),
    takeAnswer:
      part === undefined
        ? null
        : async (response, caller, session) =>
            ownerOf(part, caller, session) !== null &&
            (await taskMethods(part, caller).answer(response, requestorOf(part, caller, session))),
    report,
    failures,
  };
}

export function call2025<Caller>(wire: Wire<Caller>, arrival: Arrival<Caller>): Call<Caller> {
  const { request, caller, channel } = arrival;
  return new Call({
    revision: wire.revision_2025,
    protocol_version: channel.session?.protocol_version ?? arrival.version ?? UNNAMED_VERSION,
    request,
    caller,
    channel,
    client_capabilities: channel.session?.client_capabilities ?? {},
    log_level: channel.session?.log_level ?? null,
    correlation_id: correlationIn(arrival),
    user_agent: arrival.user_agent,
  });
}

/** Makes the call of a 2026 request. Throws for invalid input. */
export function call2026<Caller>(wire: Wire<Caller>, arrival: Arrival<Caller>): Call<Caller> {
  const { request, caller, channel } = arrival;
  const level = request.meta[LOG_LEVEL];
  const capabilities = request.meta[CLIENT_CAPABILITIES];
  const call = new Call({
    revision: wire.revision_2026,
    protocol_version: VERSION_2026,
    request,
    caller,
    channel,
    client_capabilities: isObject(capabilities) ? capabilities : {},
    log_level: isLogLevel(level) ? level : null,
    correlation_id: correlationIn(arrival),
    user_agent: arrival.user_agent,
  });
  const input = readInput(request.params);
  call.input_responses = input.responses;
  call.request_state = input.state;
  return call;
}

/** Answers a call. It never throws and never rejects. */
export function serve<Caller>(wire: Wire<Caller>, call: Call<Caller>): Reply | Promise<Reply> {
  const { id, method } = call.request;
  try {
    const answer = call.revision.methods.get(method);
    if (answer === undefined) throw methodNotFound(method);
    const result = answer(wire.host, call);
    return typeof result === 'string' ? { status: 200, text: resultText(id, result) } : settle(wire, call, result);
  } catch (error) {
    return failure(wire, call, error);
  }
}

async function settle<Caller>(wire: Wire<Caller>, call: Call<Caller>, result: Promise<string>): Promise<Reply> {
  try {
    return { status: 200, text: resultText(call.request.id, await result) };
  } catch (error) {
    return failure(wire, call, error);
  }
}

function failure<Caller>(
  wire: Wire<Caller>,
  { revision, request, correlation_id }: Call<Caller>,
  error: unknown,
): Reply {
  const { code, message, data, status } = asRpcError(error, wire, correlation_id);
  return { status: status ?? revision.statusOf(code), text: errorText(request.id, code, message, data) };
}

function correlationIn<Caller>({ traceparent, request, request_id }: Arrival<Caller>): string | undefined {
  const { traceparent: inBody }: { readonly traceparent?: unknown } = request.meta;
  return traceIdOf(traceparent ?? inBody) ?? request_id;
}
