import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import {
  type Answer,
  BAD_KEY,
  BODY_TOO_LARGE,
  methodNotAllowed,
  NO_CREDENTIALS,
  NO_PERMISSION,
  PAGE_NOT_FOUND,
  parseError,
  throttled,
} from './answer.ts';
import { createFaults, type Fault, misbehave } from './faults.ts';
import { matchRoute } from './routes.ts';
import { createThrottle, type Rate } from './throttle.ts';
import { aPlaneWorld, type PlaneWorld } from './world.ts';

const MAX_BODY_BYTES = 5_242_880;

export interface PlaneStandIn extends AsyncDisposable {
  readonly url: string;
  readonly slug: string;
  readonly world: PlaneWorld;
  /** Every request that came in, as `GET /api/v1/…`. */
  readonly requests: readonly string[];
  readonly plan: (method: string, path: RegExp, fault: Fault) => void;
  /** The rate; `60/min` unless set. */
  rate: Rate;
}

export interface PlaneOptions {
  readonly slug?: string;
  readonly now?: () => number;
}

async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  return body.length > MAX_BODY_BYTES ? null : body.toString('utf8');
}

function parsed(body: string): Readonly<Record<string, unknown>> | null {
  try {
    return body === '' ? {} : JSON.parse(body);
  } catch {
    return null;
  }
}

function send(
  response: ServerResponse,
  { status, body, headers }: Answer,
  more: Readonly<Record<string, string>>,
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers, ...more });
  response.end(JSON.stringify(body));
}

/** Starts a stand-in for Plane's public API v1. README.md names the sources. */
export async function startPlane({ slug = 'acme', now = Date.now }: PlaneOptions = {}): Promise<PlaneStandIn> {
  const world = aPlaneWorld(slug, now);
  const requests: string[] = [];
  const faults = createFaults();
  const settings = { rate: { requests: 60, seconds: 60 } };
  const throttle = createThrottle(() => settings.rate, now);

  const answer = async (request: IncomingMessage, url: URL): Promise<[Answer, Readonly<Record<string, string>>]> => {
    const method = request.method ?? 'GET';
    const body = await readBody(request);
    if (body === null) return [BODY_TOO_LARGE, {}];
    const match = matchRoute(url.pathname);
    if (match === null && matchRoute(`${url.pathname}/`) !== null)
      return [{ status: 301, body: '', headers: { location: `${url.pathname}/${url.search}` } }, {}];
    if (match === null) return [PAGE_NOT_FOUND, {}];

    const key = request.headers['x-api-key'];
    if (typeof key !== 'string') return [NO_CREDENTIALS, {}];
    const user = world.keys.get(key);
    if (user === undefined) return [BAD_KEY, {}];
    const asked = { world, user, method, slug: match.params.slug ?? '', params: match.params, query: url.searchParams };
    if (!match.may({ ...asked, body: {} })) return [NO_PERMISSION, {}];
    const verdict = throttle(key);
    if (!verdict.allowed) return [throttled(verdict.wait_seconds), {}];
    const view = match.views[method];
    if (view === undefined) return [methodNotAllowed(method), verdict.headers];
    const data = parsed(body);
    if (data === null)
      return [parseError('JSON parse error - Expecting value: line 1 column 1 (char 0)'), verdict.headers];
    return [view({ ...asked, body: data }), verdict.headers];
  };

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://plane.test');
    requests.push(`${request.method} ${request.url}`);
    const fault = faults.take(request.method ?? 'GET', request.url ?? '');
    if (fault !== null && fault.kind !== 'lost') return misbehave(fault, response);
    const [reply, headers] = await answer(request, url);
    if (fault !== null) return misbehave(fault, response);
    send(response, reply, headers);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;

  return {
    url: `http://127.0.0.1:${port}`,
    slug,
    world,
    requests,
    plan: faults.plan,
    get rate() {
      return settings.rate;
    },
    set rate(rate: Rate) {
      settings.rate = rate;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
