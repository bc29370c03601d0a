/** The name of the cookie over plain HTTP, which is for loopback. Over HTTPS it has the prefix `__Host-`. */
export const SESSION_COOKIE = 'errand_session';

const PAIR = new RegExp(`^(?:__Host-)?${SESSION_COOKIE}=`);

/** Reads a browser's token from a Cookie header, under either name. */
export function sessionIn(header: string | undefined): string | null {
  const found = header?.split(/; */).find((pair) => PAIR.test(pair));
  return found === undefined ? null : found.slice(found.indexOf('=') + 1);
}
