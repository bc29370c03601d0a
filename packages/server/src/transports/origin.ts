import type { IncomingMessage } from 'node:http';
import type { Context } from 'hono';

/** Errand itself speaks plain HTTP. A proxy in front of it says whether the caller uses HTTPS. */
const isHttps = (forwarded: unknown): boolean => forwarded === 'https';

const originAt = (forwarded: unknown, host = 'localhost'): string =>
  `${isHttps(forwarded) ? 'https' : 'http'}://${host}`;

export const isSecure = (c: Context): boolean => isHttps(c.req.header('x-forwarded-proto'));

/** The address at which the caller reached this server. The Host was checked before. */
export const originOf = (c: Context): string => originAt(c.req.header('x-forwarded-proto'), c.req.header('host'));

/** The same two for a request outside of Hono. */
export const isSecureRequest = ({ headers }: IncomingMessage): boolean => isHttps(headers['x-forwarded-proto']);

export const requestOrigin = ({ headers }: IncomingMessage): string =>
  originAt(headers['x-forwarded-proto'], headers.host);
