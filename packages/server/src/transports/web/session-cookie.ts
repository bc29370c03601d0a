import type { IncomingMessage } from 'node:http';
import { isSecureRequest } from '#transports/origin';

/** The name of the cookie over plain HTTP, which is for loopback. Over HTTPS it has the prefix `__Host-`. */
export const SESSION_COOKIE = 'errand_session';

/** Reads a browser's token. Over HTTPS only the prefixed name counts: other hosts of the same domain can set the plain one. */
export function sessionIn(req: IncomingMessage): string | null {
  const begins = `${isSecureRequest(req) ? '__Host-' : ''}${SESSION_COOKIE}=`;
  const found = req.headers.cookie?.split(/; */).find((pair) => pair.startsWith(begins));
  return found === undefined ? null : found.slice(begins.length);
}
