import { randomUUID } from 'node:crypto';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { ErrandError } from '#errors';
import type { WireError } from '#gateway/gateway';
import { type Failure, wireError } from '#gateway/outcome';

/** Headers of every answer outside of MCP: clients must not cache it, guess its type or frame it. */
export const SECURITY_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

/** Logs a failure whose details the caller does not get, under the correlation id that the caller gets. */
export type Report = (error: unknown, correlation_id?: string) => void;

/** Turns an error from before the call of a tool into the failure to answer with. */
export function failureOf(cause: unknown, report: Report, correlation_id: string = randomUUID()): Failure {
  if (!(cause instanceof ErrandError)) report(cause, correlation_id);
  return wireError(cause, correlation_id);
}

/** A request without a token is no error yet, so its challenge names none (RFC 6750, 3.1). */
const challengeOf = ({ details }: WireError): string =>
  details?.token === 'missing' ? 'Bearer realm="errand"' : 'Bearer realm="errand", error="invalid_token"';

/** Returns the headers of a failure: when to retry, how to authenticate, which methods are allowed. */
export function headersOf({ status, error }: Failure): Record<string, string> {
  const { retry_after_ms, details: { allow } = {} } = error;
  return {
    ...(retry_after_ms !== undefined && { 'retry-after': String(Math.ceil(retry_after_ms / 1000)) }),
    ...(status === 401 && { 'www-authenticate': challengeOf(error) }),
    ...(status === 405 && typeof allow === 'string' && { allow }),
    // Close: the rest of a refused body would be read as the next request.
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
