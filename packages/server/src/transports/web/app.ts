import { type Context, Hono } from 'hono';
import { SECURITY_HEADERS } from '#transports/answer';
import { type AppFile, createAppFiles } from './app-files.ts';

/** The addresses of the app: it decides itself what each of them shows, and to whom. */
const ADDRESSES = [
  '/',
  '/inbox',
  '/p/*',
  '/t/*',
  '/a/*',
  '/runs',
  '/agents',
  '/agents/*',
  '/activity',
  '/settings',
  '/ops',
  '/signin',
] as const;

const APP_HEADERS = {
  ...SECURITY_HEADERS,
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "font-src 'none'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const;

/** A browser may keep the file, but asks before each use whether it is still the same. */
const ASK_AGAIN = 'no-cache';
const FOR_EVER = 'public, max-age=31536000, immutable';

const acceptedBy = (c: Context): string => c.req.header('accept-encoding') ?? '';

function send(c: Context, { bytes, etag, type, encoding }: AppFile, cache: string): Response {
  const headers = { ...APP_HEADERS, 'cache-control': cache, etag, vary: 'accept-encoding' };
  const known = c.req.header('if-none-match')?.split(/\s*,\s*/) ?? [];
  if (known.some((tag) => tag.replace(/^W\//, '') === etag)) return c.body(null, 304, headers);
  return c.body(bytes, 200, {
    ...headers,
    'content-type': type,
    ...(encoding !== null && { 'content-encoding': encoding }),
  });
}

/** Serves the web app. What is not there, or not built, is left to the routes after it. */
export function createApp(folder?: string): Hono {
  const app = new Hono();
  const files = createAppFiles(folder);

  for (const address of ADDRESSES) {
    app.get(address, async (c, next) => {
      // The link that signs a browser in.
      if (c.req.path === '/' && c.req.query('key') !== undefined) return next();
      const page = await files.page(acceptedBy(c));
      return page === null ? next() : send(c, page, ASK_AGAIN);
    });
  }
  app.get('/assets/:name', async (c, next) => {
    const asset = await files.asset(c.req.param('name'), acceptedBy(c));
    return asset === null ? next() : send(c, asset, FOR_EVER);
  });
  app.get('/:name', async (c, next) => {
    const file = await files.file(c.req.param('name'), acceptedBy(c));
    return file === null ? next() : send(c, file, ASK_AGAIN);
  });
  return app;
}

/** Whether an address belongs to the app. */
export const isAppAddress = (path: string): boolean =>
  ADDRESSES.some((address) => (address.endsWith('*') ? path.startsWith(address.slice(0, -1)) : path === address));
