import type { IncomingMessage } from 'node:http';
import type { Context } from 'hono';
import { markAsCall, requestIdOf } from '#transports/request-id';

// Undefined in tests, which have no HTTP server.
export const incomingOf = (c: Context): IncomingMessage | undefined => c.env?.incoming;

/** The id of the request in its answer and in the log. */
export function idOf(c: Context): string | undefined {
  const incoming = incomingOf(c);
  return incoming && requestIdOf(incoming);
}

/** The request id for the call of a tool. The line of the call in the log says how the request ended. */
export function beganCall(c: Context): string | undefined {
  const incoming = incomingOf(c);
  if (incoming !== undefined) markAsCall(incoming);
  return idOf(c);
}
