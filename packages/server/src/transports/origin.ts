import type { Context } from 'hono';

/** Errand speaks plain HTTP; whether the caller does is known to the proxy in front of it. */
export const isSecure = (c: Context): boolean => c.req.header('x-forwarded-proto') === 'https';

/** The address under which the caller found this server; the Host was checked before. */
export const originOf = (c: Context): string =>
  `${isSecure(c) ? 'https' : 'http'}://${c.req.header('host') ?? 'localhost'}`;
