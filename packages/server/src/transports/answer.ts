import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { traceIdOf } from '@errand/mcp';
import { ErrandError } from '#errors';
import type { WireError } from '#gateway/gateway';
import { type Failure, wireError } from '#gateway/outcome';

/** On every answer that is not MCP: nothing of it may be kept, guessed at or framed. */
export const SECURITY_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

// Not a token: the id is kept in the audit trail.
const REQUEST_ID = /^(?!.*errand_)[A-Za-z0-9._-]{1,64}$/;

/** The id under which the caller knows this request, from `traceparent` or `X-Request-Id`. */
export function correlationOf({ traceparent, 'x-request-id': request_id }: IncomingHttpHeaders): string | undefined {
  const trace = traceIdOf(traceparent);
  if (trace !== undefined) return trace;
  const id = request_id?.toString();
  return id !== undefined && REQUEST_ID.test(id) ? id : undefined;
}

/** Hears of failures that nobody was told in so many words, under the number that they were told. */
export type Report = (error: unknown, correlation_id?: string) => void;

/** What a request meets before any tool is called. */
export function failureOf(cause: unknown, report: Report, correlation_id: string = randomUUID()): Failure {
  if (!(cause instanceof ErrandError)) report(cause, correlation_id);
  return wireError(cause, correlation_id);
}

/** A request without a token has done nothing wrong yet, so it is told of no error (RFC 6750, 3.1). */
const challengeOf = ({ details }: WireError): string =>
  details?.token === 'missing' ? 'Bearer realm="errand"' : 'Bearer realm="errand", error="invalid_token"';

/** The headers that go with a failure: when to come again, how to say who one is, what to ask instead. */
export function headersOf({ status, error }: Failure): Record<string, string> {
  const { retry_after_ms, details: { allow } = {} } = error;
  return {
    ...(retry_after_ms !== undefined && { 'retry-after': String(Math.ceil(retry_after_ms / 1000)) }),
    ...(status === 401 && { 'www-authenticate': challengeOf(error) }),
    ...(status === 405 && typeof allow === 'string' && { allow }),
    // The rest of a body that was refused would be read as the next request.
    ...(status === 413 && { connection: 'close' }),
  };
}

export function sendText(res: ServerResponse, status: number, text: string, headers: OutgoingHttpHeaders): void {
  res.writeHead(status, { ...SECURITY_HEADERS, 'content-length': Buffer.byteLength(text), ...headers });
  res.end(res.req.method === 'HEAD' ? undefined : text);
}

export const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' } as const;

export const sendJson = (res: ServerResponse, status: number, body: unknown, headers: OutgoingHttpHeaders = {}): void =>
  sendText(res, status, JSON.stringify(body), { ...JSON_TYPE, ...headers });

export const sendFailure = (res: ServerResponse, failure: Failure): void =>
  sendJson(res, failure.status, { error: failure.error }, headersOf(failure));
