import { ERRORS, ErrandError } from '#errors';
import { Call, type Channel, isLogLevel } from './call.ts';
import type { McpHost } from './host.ts';
import { errorText, INTERNAL_ERROR, isObject, RpcError, type RpcId, type RpcRequest, resultText } from './json-rpc.ts';
import { methodNotFound } from './methods.ts';
import { createRevision2025 } from './rev-2025/revision.ts';
import { readInput } from './rev-2026/input.ts';
import { createRevision2026 } from './rev-2026/revision.ts';
import type { Revision } from './revision.ts';
import { CLIENT_CAPABILITIES, LOG_LEVEL } from './versions.ts';

/** A host in the two languages it is spoken to. */
export interface Wire<Caller> {
  readonly host: McpHost<Caller>;
  readonly revision_2025: Revision;
  readonly revision_2026: Revision;
  /** Hears of failures that are nobody's answer. */
  readonly report: (error: unknown) => void;
}

export interface Reply {
  readonly status: number;
  readonly text: string;
}

export interface Arrival<Caller> {
  readonly request: RpcRequest;
  readonly caller: Caller;
  readonly channel: Channel;
  /** The `traceparent` header, where there are headers. */
  readonly traceparent?: string | readonly string[] | undefined;
}

export const createWire = <Caller>(host: McpHost<Caller>, report: (error: unknown) => void): Wire<Caller> => ({
  host,
  revision_2025: createRevision2025(),
  revision_2026: createRevision2026(host.server_info),
  report,
});

export function call2025<Caller>(wire: Wire<Caller>, arrival: Arrival<Caller>): Call<Caller> {
  const { request, caller, channel } = arrival;
  return new Call({
    revision: wire.revision_2025,
    request,
    caller,
    channel,
    client_capabilities: channel.session?.client_capabilities ?? {},
    log_level: channel.session?.log_level ?? null,
    correlation_id: traceIdOf(arrival),
  });
}

/** Throws for input that does not have its form. */
export function call2026<Caller>(wire: Wire<Caller>, arrival: Arrival<Caller>): Call<Caller> {
  const { request, caller, channel } = arrival;
  const level = request.meta[LOG_LEVEL];
  const capabilities = request.meta[CLIENT_CAPABILITIES];
  const call = new Call({
    revision: wire.revision_2026,
    request,
    caller,
    channel,
    client_capabilities: isObject(capabilities) ? capabilities : {},
    log_level: isLogLevel(level) ? level : null,
    correlation_id: traceIdOf(arrival),
  });
  const input = readInput(request.params);
  call.input_responses = input.responses;
  call.request_state = input.state;
  return call;
}

/** Answers a call. Never throws, never rejects. */
export function serve<Caller>(wire: Wire<Caller>, call: Call<Caller>): Reply | Promise<Reply> {
  const { id, method } = call.request;
  try {
    const answer = call.revision.methods.get(method);
    if (answer === undefined) throw methodNotFound(method);
    const result = answer(wire.host, call);
    return typeof result === 'string' ? { status: 200, text: resultText(id, result) } : settle(wire, call, result);
  } catch (error) {
    return failure(wire, call.revision, id, error);
  }
}

async function settle<Caller>(wire: Wire<Caller>, call: Call<Caller>, result: Promise<string>): Promise<Reply> {
  try {
    return { status: 200, text: resultText(call.request.id, await result) };
  } catch (error) {
    return failure(wire, call.revision, call.request.id, error);
  }
}

function failure<Caller>({ report }: Wire<Caller>, revision: Revision, id: RpcId, error: unknown): Reply {
  if (error instanceof RpcError) {
    return { status: revision.statusOf(error.code), text: errorText(id, error.code, error.message, error.data) };
  }
  if (error instanceof ErrandError) {
    const { code, message, retry_after_ms } = error;
    const { status, retryable } = ERRORS[code];
    return { status, text: errorText(id, INTERNAL_ERROR, message, { code, retryable, retry_after_ms }) };
  }
  report(error);
  return { status: revision.statusOf(INTERNAL_ERROR), text: errorText(id, INTERNAL_ERROR, 'Internal error') };
}

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/;

function traceIdOf<Caller>({ traceparent, request }: Arrival<Caller>): string | undefined {
  const { traceparent: inBody }: { readonly traceparent?: unknown } = request.meta;
  const given = traceparent ?? inBody;
  return typeof given === 'string' ? TRACEPARENT.exec(given)?.[1] : undefined;
}
