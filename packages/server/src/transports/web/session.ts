import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { BROWSER_SESSION_SECONDS } from '#tools/admin/redeem-sign-in';
import type { AddressOf } from '#transports/address';
import { isSecure } from '#transports/origin';
import { incomingOf } from './request.ts';
import { SESSION_COOKIE } from './session-cookie.ts';

/** The browser's token. Over HTTPS, the prefix keeps other hosts of the same domain from setting this cookie. */
export const sessionOf = (c: Context): string | null =>
  (isSecure(c) ? getCookie(c, SESSION_COOKIE, 'host') : getCookie(c, SESSION_COOKIE)) ?? null;

/** The browser and its address, for the list of sessions. */
export function browserOf(c: Context, addressOf: AddressOf) {
  const incoming = incomingOf(c);
  return {
    device: (c.req.header('user-agent') ?? '').slice(0, 300),
    address: incoming === undefined ? '' : addressOf(incoming),
  };
}

export function keepSession(c: Context, token: string): void {
  setCookie(c, SESSION_COOKIE, token, {
    httpOnly: true,
    sameSite: 'Strict',
    path: '/',
    maxAge: BROWSER_SESSION_SECONDS,
    ...(isSecure(c) && { secure: true, prefix: 'host' }),
  });
}

export const dropSession = (c: Context): void =>
  void deleteCookie(c, SESSION_COOKIE, { path: '/', ...(isSecure(c) && { secure: true, prefix: 'host' }) });
