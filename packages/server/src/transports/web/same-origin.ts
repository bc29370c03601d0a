import type { IncomingMessage } from 'node:http';
import { ErrandError } from '#errors';
import { requestOrigin } from '#transports/origin';

const READS = new Set(['GET', 'HEAD']);

/** `none` is an address that the person typed. */
const OWN_SITES = new Set(['same-origin', 'none']);

/**
 * Refuses a request with the browser's cookie that a page elsewhere has caused. Browsers add the cookie by themselves, also for
 * pages of another port of the same host, so the cookie alone does not show that our page has asked.
 */
export function mustBeSameOrigin(req: IncomingMessage): void {
  const { origin, 'sec-fetch-site': site } = req.headers;
  const isRead = READS.has(req.method ?? '');
  // Browsers send Sec-Fetch-Site to HTTPS and to loopback only. Elsewhere they send Origin with every change.
  const isOwn = site === undefined ? origin === requestOrigin(req) : site === 'same-origin';
  if (isOwn || (isRead && (site === undefined ? origin === undefined : OWN_SITES.has(String(site))))) return;
  throw new ErrandError('cross_site', 'The cookie of the browser works for pages of this server only.', {
    hint: 'Open the board at the address of this server. A program sends a token instead: "Authorization: Bearer <token>".',
  });
}
