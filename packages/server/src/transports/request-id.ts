import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { correlationOf } from './answer.ts';

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

const ids = new WeakMap<IncomingMessage, string>();
const calls = new WeakSet<IncomingMessage>();

/** Returns the id of a request for its answer and the log: the id that the sender gave, or a new one. */
export function requestIdOf(req: IncomingMessage): string {
  const known = ids.get(req);
  if (known !== undefined) return known;
  const id = correlationOf(req.headers) ?? randomUUID();
  ids.set(req, id);
  return id;
}

/** Marks a request that became the call of a tool: the line of the call says how it ended. */
export const markAsCall = (req: IncomingMessage): void => void calls.add(req);

export const isCall = (req: IncomingMessage): boolean => calls.has(req);

/** Sends the request id in a header of every refusal: not every body has a field for it. */
export class NamedResponse extends ServerResponse<IncomingMessage> {
  override writeHead(status: number, message?: string | Headers, headers?: Headers): this {
    if (status >= 400) this.setHeader('x-request-id', requestIdOf(this.req));
    return typeof message === 'string'
      ? super.writeHead(status, message, headers)
      : super.writeHead(status, message ?? headers);
  }
}
