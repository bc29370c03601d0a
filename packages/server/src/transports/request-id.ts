import { randomUUID } from 'node:crypto';
import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
} from 'node:http';
import { traceIdOf } from '@errand/mcp';

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

const ID = Symbol('request id');
const IS_CALL = Symbol('is call');

/** A request with what is known of it. The garbage collector has more work with a WeakMap. */
type Known = IncomingMessage & { [ID]?: string; [IS_CALL]?: true };

// Not a token: the audit trail keeps the id.
const REQUEST_ID = /^(?!.*errand_)[A-Za-z0-9._-]{1,64}$/;

/** Returns the caller's own id of this request, from `traceparent` or `X-Request-Id`. */
function correlationOf({ traceparent, 'x-request-id': request_id }: IncomingHttpHeaders): string | undefined {
  const trace = traceIdOf(traceparent);
  if (trace !== undefined) return trace;
  const id = request_id?.toString();
  return id !== undefined && REQUEST_ID.test(id) ? id : undefined;
}

/** Returns the id of a request for its answer and the log: the id that the sender gave, or a new one. */
export function requestIdOf(req: Known): string {
  req[ID] ??= correlationOf(req.headers) ?? randomUUID();
  return req[ID];
}

/** Marks a request that became the call of a tool: the line of the call says how it ended. */
export function markAsCall(req: Known): void {
  req[IS_CALL] = true;
}

export const isCall = (req: Known): boolean => req[IS_CALL] === true;

/** Sends the request id in a header of every refusal: not every body has a field for it. */
export class NamedResponse extends ServerResponse<IncomingMessage> {
  override writeHead(status: number, message?: string | Headers, headers?: Headers): this {
    if (status >= 400) this.setHeader('x-request-id', requestIdOf(this.req));
    return typeof message === 'string'
      ? super.writeHead(status, message, headers)
      : super.writeHead(status, message ?? headers);
  }
}
