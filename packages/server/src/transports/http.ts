import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { checkHost, checkOrigin, createGuard, hasOneHost, MAX_DISCARDED_BYTES, type McpHttp } from '@errand/mcp/node';
import { say } from '#advice';
import { ErrandError } from '#errors';
import type { Call, Gateway } from '#gateway/gateway';
import { PROFILES, type ProfileName } from '#tools/profiles';
import { type AddressOf, networkOf } from './address.ts';
import { type Admission, createAdmissions } from './admission.ts';
import { failureOf, type Report } from './answer.ts';
import type { Bearer } from './bearer.ts';
import { answerClientError } from './client-error.ts';
import { allowOrigin } from './cors.ts';
import { createOperation } from './health.ts';
import { createInFlight } from './in-flight.ts';
import { wantedProfiles } from './mcp/wanted-profiles.ts';
import { createNextTurn } from './next-turn.ts';
import { ownAddresses } from './own-addresses.ts';
import { createRefusalLog, type TellRefusal } from './refusal-log.ts';
import { isCall, NamedResponse, requestIdOf } from './request-id.ts';
import type { Rest } from './rest/rest.ts';
import { DEFAULT_TRAFFIC, type Traffic } from './traffic.ts';

const DRAIN_MS = 10_000;

/** How long the rest of a body is read after the request was answered. */
const MAX_LINGER_MS = 5_000;

export type McpProfile = ProfileName | 'all';
type Handler = (req: IncomingMessage, res: ServerResponse) => void | Promise<void>;

export interface HttpParts extends Pick<Bearer, 'authenticate' | 'identify'> {
  readonly addressOf: AddressOf;
  readonly narrow: Gateway['narrow'];
  readonly mcp: (profile: McpProfile) => McpHttp<Call['caller']>;
  readonly rest: Pick<Rest, 'answer' | 'fail'>;
  /** Handles every path outside of MCP, REST and operation. */
  readonly app: Handler;
  readonly metrics: () => string;
  /** Rejects when calls cannot be served now. */
  readonly checkReady: () => Promise<void>;
  /** Ends the streams that do not end by themselves. */
  readonly closeStreams: () => void;
  readonly report: Report;
  readonly tellRefusal: TellRefusal;
  /** The profile of `/mcp` itself. */
  readonly profile: McpProfile;
  readonly allowed_hosts: readonly string[];
  readonly allowed_origins: readonly string[];
  readonly traffic?: Traffic;
}

export interface HttpServer {
  /** Rejects with the system's error when the address cannot be bound. */
  readonly listen: (host: string, port: number) => Promise<AddressInfo>;
  /** Reports not ready at once, accepts no more connections, lets running requests end, then cuts the rest. */
  readonly drain: (limit_ms?: number) => Promise<void>;
}

/** Returns the MCP endpoint of a path: a profile, `all`, or none. */
function profileAt(asked: string, own: McpProfile): McpProfile | undefined {
  const path = asked.endsWith('/') ? asked.slice(0, -1) : asked;
  if (path === '/mcp') return own;
  const name = path.slice('/mcp/'.length);
  if (!path.startsWith('/mcp/') || !Object.hasOwn(PROFILES, name)) return undefined;
  // Safe: it is a key of `PROFILES`.
  const profile = name as ProfileName;
  return PROFILES[profile].mcp ? profile : undefined;
}

function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}

/** Cuts a connection whose answer is not read. A connection that waits for its answer stays open. */
const cutUnread = (socket: { readonly writableLength: number; readonly destroy: () => unknown }): void => {
  if (socket.writableLength > 0) socket.destroy();
};

/** A client that is still sending when it was answered gets some time to finish; then its connection is cut. */
function limitRest(req: IncomingMessage): void {
  if (req.complete || req.destroyed) return;
  const timer = setTimeout(() => req.complete || req.socket.destroy(), MAX_LINGER_MS).unref();
  req.socket.once('close', () => clearTimeout(timer));
}

/** The only listener. It checks the Host, the Origin and the caller, in this order, and then routes the request. */
export function createHttpServer(parts: HttpParts): HttpServer {
  const { traffic = DEFAULT_TRAFFIC } = parts;
  const inFlight = createInFlight();
  const { admit } = createAdmissions(traffic);
  const nextTurn = createNextTurn();
  const operation = createOperation(parts);
  const refusals = createRefusalLog(parts.tellRefusal);
  let guard = createGuard({ host: '' });
  let draining = false;
  let onIdle = (): void => {};

  /** True when the request was a preflight, which is then answered. */
  function checkAddress(req: IncomingMessage, res: ServerResponse): boolean {
    const { origin, host } = req.headers;
    if (!hasOneHost(req.rawHeaders)) throw new ErrandError('validation_error', 'Send exactly one Host header.');
    if (!checkHost(guard, host)) {
      throw new ErrandError('forbidden_host', 'This server does not answer under that Host.', {
        hint: say`The person who runs it names its hosts in ${{ setting: 'ERRAND_ALLOWED_HOSTS' }}.`,
      });
    }
    if (!checkOrigin(guard, origin, host)) {
      throw new ErrandError('forbidden_host', 'Pages of that Origin may not call this server.', {
        hint: say`The person who runs it names their origins in ${{ setting: 'ERRAND_ALLOWED_ORIGINS' }}.`,
      });
    }
    return origin !== undefined && allowOrigin(req, res, origin);
  }

  async function admitted(req: IncomingMessage): Promise<Admission> {
    const pass = await parts.identify(req);
    return admit(
      req,
      pass === null ? { key: networkOf(parts.addressOf(req)), has_token: false } : { key: pass, has_token: true },
    );
  }

  async function answerMcp(
    req: IncomingMessage,
    res: ServerResponse,
    { profile, admission }: { readonly profile: McpProfile; readonly admission: Admission },
  ): Promise<void> {
    // Authenticate again when the body is complete: the token may have been revoked meanwhile.
    const confirm = async (): Promise<Call['caller']> =>
      parts.narrow(await parts.authenticate(req), wantedProfiles(req));
    await parts.mcp(profile).handle(req, res, {
      caller: await confirm(),
      confirm,
      admission,
      leavePlace: admission.leave,
      request_id: requestIdOf(req),
    });
  }

  function refuse(req: IncomingMessage, res: ServerResponse, error: unknown): void {
    const failure = failureOf(error, parts.report, requestIdOf(req));
    // Reading a long unwanted body would take time from other requests.
    if (!res.headersSent && Number(req.headers['content-length'] ?? 0) > MAX_DISCARDED_BYTES) {
      res.setHeader('connection', 'close');
    }
    if (res.headersSent) res.destroy();
    else parts.rest.fail(res, failure, pathOf(req.url ?? '/'));
  }

  function route(req: IncomingMessage, res: ServerResponse, path: string, admission: Admission): void | Promise<void> {
    if (path.startsWith('/mcp')) {
      const profile = profileAt(path, parts.profile);
      if (profile !== undefined) return answerMcp(req, res, { profile, admission });
    }
    if (path === '/metrics') return operation.answerMetrics(path, res);
    const asked = { path, leavePlace: admission.leave, checkReady: operation.checkReports };
    return parts.rest.answer(req, res, asked) ?? parts.app(req, res);
  }

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    let admission: Admission | undefined;
    try {
      if (checkAddress(req, res)) return;
      const path = pathOf(req.url ?? '/');
      if (operation.isProbe(path)) return await operation.answerProbe(path, res);
      await nextTurn();
      admission = await admitted(req);
      if (res.destroyed) return admission.leave();
      res.on('close', admission.leave);
      // Methods with a body wait for the body first: see `readJson`.
      if (req.method !== 'POST' && req.method !== 'PUT' && req.method !== 'PATCH') await admission.turn();
      await route(req, res, path, admission);
    } catch (error) {
      refuse(req, res, error);
    }
    admission?.holdUnread(res);
    limitRest(req);
  }

  function tellRefusal(req: IncomingMessage, { statusCode: status }: ServerResponse): void {
    if (isCall(req)) return;
    const path = pathOf(req.url ?? '/');
    refusals.add({ correlation_id: requestIdOf(req), status, address: parts.addressOf(req), method: req.method, path });
  }

  const server = createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      keepAliveTimeout: 65_000,
      // Node checks the timeouts above only this often.
      connectionsCheckingInterval: 2_000,
      maxHeaderSize: 16 * 1024,
      insecureHTTPParser: false,
      ServerResponse: NamedResponse,
    },
    (req, res) => {
      inFlight.add(res);
      res.on('timeout', cutUnread);
      res.on('close', () => {
        inFlight.delete(res);
        if (res.statusCode >= 400) tellRefusal(req, res);
        if (inFlight.size === 0) onIdle();
      });
      if (draining) res.setHeader('connection', 'close');
      void answer(req, res);
    },
  );
  server.maxConnections = traffic.max_connections;
  server.timeout = traffic.write_timeout_ms;
  server.on('clientError', (error, socket) => answerClientError(error, socket, refusals.add));

  return {
    listen: (host, port) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => {
          server.off('error', reject);
          // Safe: neither null nor a pipe, because the server listens on a port.
          const address = server.address() as AddressInfo;
          guard = createGuard({ ...parts, host, own_addresses: ownAddresses(host), port: address.port });
          resolve(address);
        });
      }),

    drain: async (limit_ms = DRAIN_MS) => {
      draining = true;
      operation.drain();
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
      refusals.close();
    },
  };
}
