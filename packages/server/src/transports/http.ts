import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ErrandError } from '#errors';
import type { Call } from '#gateway/gateway';
import { PROFILES, type ProfileName } from '#tools/profiles';
import { correlationOf, failureOf, type Report, sendFailure, sendJson, sendText } from './answer.ts';
import type { Authenticate } from './bearer.ts';
import { allowOrigin } from './cors.ts';
import type { EventStreams } from './events/streams.ts';
import { checkHost, checkOrigin, createGuard } from './guard.ts';
import type { McpHttp } from './mcp/http.ts';
import { createNextTurn } from './next-turn.ts';
import { createPlaces } from './places.ts';
import type { TaskManagerApi } from './rest/task-manager.ts';

const DRAIN_MS = 10_000;
const MAX_IN_FLIGHT = 1_000;
const READY_FOR_MS = 1_000;

export type McpProfile = ProfileName | 'all';
type Handler = (req: IncomingMessage, res: ServerResponse) => void | Promise<void>;

export interface HttpParts {
  readonly authenticate: Authenticate;
  readonly mcp: (profile: McpProfile) => McpHttp<Call['caller']>;
  readonly taskManager: TaskManagerApi;
  readonly events: Pick<EventStreams, 'handle'>;
  /** Everything that is not MCP, reports or operation. */
  readonly app: Handler;
  readonly metrics: () => string;
  /** Rejects when calls cannot be served now. */
  readonly checkReady: () => Promise<void>;
  /** Ends the streams that would not end by themselves. */
  readonly closeStreams: () => void;
  readonly report: Report;
  /** What `/mcp` itself serves. */
  readonly profile: McpProfile;
  readonly allowed_hosts: readonly string[];
  readonly allowed_origins: readonly string[];
  readonly max_in_flight?: number;
}

export interface HttpServer {
  /** Rejects with the system's error when the address cannot be had. */
  readonly listen: (host: string, port: number) => Promise<AddressInfo>;
  /** Not ready at once; takes no more connections, lets running requests end, then cuts what is left. */
  readonly drain: (limit_ms?: number) => Promise<void>;
}

/** Which MCP endpoint a path is: a profile, `all`, or none. */
function profileAt(path: string, own: McpProfile): McpProfile | undefined {
  if (path === '/mcp') return own;
  const name = path.slice('/mcp/'.length);
  if (!path.startsWith('/mcp/') || !Object.hasOwn(PROFILES, name)) return undefined;
  const profile = name as ProfileName;
  return PROFILES[profile].mcp ? profile : undefined;
}

function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}

/** The one listener: who is asked (Host), from where (Origin), by whom (token), then what. */
export function createHttpServer(parts: HttpParts): HttpServer {
  const inFlight = new Set<ServerResponse>();
  const nextTurn = createNextTurn();
  // A request holds its place until it is answered, and its body may take half a minute to come.
  const places = createPlaces(parts.max_in_flight ?? MAX_IN_FLIGHT);
  let guard = createGuard({ host: '' });
  let draining = false;
  let onIdle = (): void => {};

  // Anyone may ask, and every check writes: those who ask while one runs, or within a second after it, share it.
  let checked: Promise<void> | null = null;
  const forget = (): void => {
    checked = null;
  };
  function checkReady(): Promise<void> {
    checked ??= parts.checkReady().finally(() => setTimeout(forget, READY_FOR_MS).unref());
    return checked;
  }

  // What a server that ends takes from now on, it may not get to answer.
  const checkReports = (): Promise<void> => (draining ? Promise.reject(new Error('draining')) : checkReady());

  async function answerReady(res: ServerResponse): Promise<void> {
    if (draining) return sendJson(res, 503, { status: 'draining' });
    try {
      await checkReady();
      sendJson(res, 200, { status: 'ready' });
    } catch {
      sendJson(res, 503, { status: 'not_ready' }, { 'retry-after': '1' });
    }
  }

  function answerOperation(path: string, res: ServerResponse): void | Promise<void> {
    if (path === '/healthz') return sendJson(res, 200, { status: 'ok' });
    if (path === '/readyz') return answerReady(res);
    return sendText(res, 200, parts.metrics(), { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
  }

  async function answerMcp(req: IncomingMessage, res: ServerResponse, profile: McpProfile): Promise<void> {
    await nextTurn();
    const caller = await parts.authenticate(req);
    // A body that comes later may come after its token was revoked.
    await parts.mcp(profile).handle(req, res, caller, () => parts.authenticate(req));
  }

  async function answerReports(req: IncomingMessage, res: ServerResponse): Promise<void> {
    await nextTurn();
    await parts.taskManager.handle(req, res, checkReports);
  }

  function refuse(req: IncomingMessage, res: ServerResponse, error: unknown): void {
    const failure = failureOf(error, parts.report, correlationOf(req.headers));
    if (res.headersSent) res.destroy();
    else if (parts.taskManager.serves(pathOf(req.url ?? '/'))) parts.taskManager.fail(res, failure);
    else sendFailure(res, failure);
  }

  function route(req: IncomingMessage, res: ServerResponse, leavePlace: () => void): void | Promise<void> {
    if (!checkHost(guard, req.headers.host)) {
      throw new ErrandError('forbidden_host', 'This server does not answer under that Host.', {
        hint: 'Whoever runs it names its hosts in ERRAND_ALLOWED_HOSTS.',
      });
    }
    const { origin, host } = req.headers;
    if (!checkOrigin(guard, origin, host)) {
      throw new ErrandError('forbidden_host', 'Pages of that Origin may not call this server.', {
        hint: 'Whoever runs it names their origins in ERRAND_ALLOWED_ORIGINS.',
      });
    }
    if (origin !== undefined && allowOrigin(req, res, origin)) return;

    const path = pathOf(req.url ?? '/');
    if (path.startsWith('/mcp')) {
      const profile = profileAt(path, parts.profile);
      if (profile !== undefined) return answerMcp(req, res, profile);
    }
    if (parts.taskManager.serves(path)) return answerReports(req, res);
    if (path === '/api/v1/events') return parts.events.handle(req, res, leavePlace);
    if (path === '/healthz' || path === '/readyz' || path === '/metrics') return answerOperation(path, res);
    return parts.app(req, res);
  }

  async function answer(req: IncomingMessage, res: ServerResponse, leavePlace: () => void): Promise<void> {
    try {
      await route(req, res, leavePlace);
    } catch (error) {
      refuse(req, res, error);
    }
  }

  const server = createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      keepAliveTimeout: 65_000,
      // The timeouts above are only looked at this often.
      connectionsCheckingInterval: 2_000,
      maxHeaderSize: 16 * 1024,
      insecureHTTPParser: false,
    },
    (req, res) => {
      const isOperation = req.url === '/healthz' || req.url === '/readyz';
      const leavePlace = isOperation ? () => {} : places.take(req.headers.authorization ?? '');
      inFlight.add(res);
      res.on('close', () => {
        inFlight.delete(res);
        leavePlace?.();
        if (inFlight.size === 0) onIdle();
      });
      if (draining) res.setHeader('connection', 'close');
      if (leavePlace !== null) return void answer(req, res, leavePlace);
      const error = new ErrandError('overloaded', 'Too many requests are running. Try again.', {
        retry_after_ms: 1000,
      });
      refuse(req, res, error);
    },
  );

  return {
    listen: (host, port) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => {
          server.off('error', reject);
          // Not null and not a pipe: it listens on a port.
          const address = server.address() as AddressInfo;
          guard = createGuard({ ...parts, host, port: address.port });
          resolve(address);
        });
      }),

    drain: async (limit_ms = DRAIN_MS) => {
      draining = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      parts.closeStreams();
      for (const res of inFlight) if (!res.headersSent) res.setHeader('connection', 'close');
      const idle = new Promise<void>((resolve) => {
        onIdle = resolve;
        if (inFlight.size === 0) resolve();
      });
      const limit = AbortSignal.timeout(limit_ms);
      await Promise.race([idle, new Promise((resolve) => limit.addEventListener('abort', resolve, { once: true }))]);
      server.closeAllConnections();
      await closed;
    },
  };
}
