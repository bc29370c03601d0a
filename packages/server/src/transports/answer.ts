import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { ERRORS, ErrandError } from '#errors';
import type { WireError } from '#gateway/gateway';

/** On every answer that is not MCP: nothing of it may be kept, guessed at or framed. */
export const SECURITY_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

export interface Failure {
  readonly status: number;
  readonly error: WireError;
}

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/;
const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** The id under which the caller knows this request, from `traceparent` or `X-Request-Id`. */
export function correlationOf({ traceparent, 'x-request-id': request_id }: IncomingHttpHeaders): string | undefined {
  const [, trace] = TRACEPARENT.exec(traceparent?.toString() ?? '') ?? [];
  if (trace !== undefined) return trace;
  const id = request_id?.toString();
  return id !== undefined && REQUEST_ID.test(id) ? id : undefined;
}

/** What a request meets before any tool is called. Whatever is not ours keeps its words to itself. */
export function failureOf(cause: unknown, correlation_id: string = randomUUID()): Failure {
  const error = cause instanceof ErrandError ? cause : new ErrandError('internal', 'Something went wrong on our side.');
  const { code, message, details, hint, retry_after_ms } = error;
  const { status, retryable } = ERRORS[code];
  return {
    status,
    error: {
      code,
      message,
      ...(details && { details }),
      ...(hint && { hint }),
      retryable,
      ...(retry_after_ms !== undefined && { retry_after_ms }),
      correlation_id,
    },
  };
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

export const sendJson = (res: ServerResponse, status: number, body: unknown, headers: OutgoingHttpHeaders = {}): void =>
  sendText(res, status, JSON.stringify(body), { 'content-type': 'application/json; charset=utf-8', ...headers });

export function sendFailure(res: ServerResponse, cause: unknown): void {
  const failure = failureOf(cause, correlationOf(res.req.headers));
  sendJson(res, failure.status, { error: failure.error }, headersOf(failure));
}
