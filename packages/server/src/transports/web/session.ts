import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { Gateway } from '#gateway/gateway';
import { BROWSER_SESSION_SECONDS } from '#tools/admin/redeem-sign-in';
import { type Asked, askTool } from '#transports/ask-tool';
import { isSecure } from '#transports/origin';
import { beganCall } from './request.ts';
import { SESSION_COOKIE } from './session-cookie.ts';

/** The browser's token. Over HTTPS, the prefix keeps other hosts of the same domain from setting this cookie. */
export const sessionOf = (c: Context): string | null =>
  (isSecure(c) ? getCookie(c, SESSION_COOKIE, 'host') : getCookie(c, SESSION_COOKIE)) ?? null;

/** Exchanges the key of a sign-in link for a token, and sets it as the browser's cookie. */
export async function beginSession(c: Context, gateway: Gateway, key: string): Promise<Asked<unknown>> {
  const caller = await gateway.local();
  const made = await askTool(gateway, {
    profile: 'admin',
    name: 'redeem_sign_in',
    caller,
    input: { key },
    transport: 'web',
    correlation_id: beganCall(c),
  });
  if (!made.ok) return made;
  setCookie(c, SESSION_COOKIE, made.value.token, {
    httpOnly: true,
    sameSite: 'Strict',
    path: '/',
    maxAge: BROWSER_SESSION_SECONDS,
    ...(isSecure(c) && { secure: true, prefix: 'host' }),
  });
  return made;
}
