import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { McpHost } from '#host';
import { createEndpoint, type EndpointOptions } from './endpoint.ts';

export interface ListenOptions<Caller> extends EndpointOptions<Caller> {
  /** Any free port unless given. */
  readonly port?: number;
  /** 127.0.0.1 unless given. */
  readonly host?: string;
  /** `/mcp` unless given. */
  readonly path?: string;
}

export interface Listening extends AsyncDisposable {
  readonly url: string;
  /** Accepts no more connections, and ends the open ones. */
  readonly close: () => Promise<void>;
}

const TIMEOUTS = { headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 65_000 };
const MAX_CONNECTIONS = 10_000;

/** Serves over HTTP. Rejects with the system's error when the address is not available. */
export async function listen<Caller>(server: McpHost<Caller>, options: ListenOptions<Caller> = {}): Promise<Listening> {
  const { port = 0, host = '127.0.0.1', path = '/mcp', ...rest } = options;
  const endpoint = createEndpoint(server, rest, host);
  const http = createServer(TIMEOUTS, (req, res) => {
    if (pathOf(req.url ?? '') === path) return void endpoint.handle(req, res);
    res.writeHead(404).end();
  });
  http.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject);
    http.listen(port, host, () => resolve());
  });
  // The cast: a server that listens on TCP has an AddressInfo.
  const { port: taken } = http.address() as AddressInfo;
  const close = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => http.close(() => resolve()));
    endpoint.close();
    http.closeAllConnections();
    await closed;
  };
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}${path}`,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}
