import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { correlationOf } from './answer.ts';

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

const ids = new WeakMap<IncomingMessage, string>();
const told = new WeakSet<IncomingMessage>();

/** The id of a request in its answer and in the log: the one that its sender gave it, or one of our own. */
export function requestIdOf(req: IncomingMessage): string {
  const known = ids.get(req);
  if (known !== undefined) return known;
  const id = correlationOf(req.headers) ?? randomUUID();
  ids.set(req, id);
  return id;
}

/** Notes that the request became the call of a tool, whose own line in the log says how it ended. */
export const toldElsewhere = (req: IncomingMessage): void => void told.add(req);

export const isToldElsewhere = (req: IncomingMessage): boolean => told.has(req);

/** Names the request in the header of every refusal: not every body of one has a place for it. */
export class NamedResponse extends ServerResponse<IncomingMessage> {
  override writeHead(status: number, message?: string | Headers, headers?: Headers): this {
    if (status >= 400) this.setHeader('x-request-id', requestIdOf(this.req));
    return typeof message === 'string'
      ? super.writeHead(status, message, headers)
      : super.writeHead(status, message ?? headers);
  }
}
