import type { IncomingMessage } from 'node:http';

const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/;

/**
 * The address of a caller. Behind a proxy on this machine it is the last one that the proxy has added: what comes before is
 * whatever the caller has sent.
 */
export function addressOf({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): string {
  const peer = socket.remoteAddress ?? '';
  const forwarded = headers['x-forwarded-for'];
  if (forwarded === undefined || !LOOPBACK.test(peer)) return peer;
  return String(forwarded).split(',').at(-1)?.trim().slice(0, 64) || peer;
}
