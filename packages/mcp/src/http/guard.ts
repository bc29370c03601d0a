export interface GuardOptions {
  /** The address on which the server listens. An address other than loopback is allowed as a Host too. */
  readonly host: string;
  /** The machine's own addresses, if the server listens on all of them. */
  readonly own_addresses?: readonly string[];
  /** The listening port, once it is known. Without it, any port of a loopback name is a valid Origin. */
  readonly port?: number;
  /** `name` for any port, `name:port` for one. */
  readonly allowed_hosts?: readonly string[];
  /** Complete origins: `https://board.example.com`. */
  readonly allowed_origins?: readonly string[];
}

/** The allowed Host and Origin headers. A page that got here by DNS rebinding still sends its own name in both. */
export interface Guard {
  readonly hosts: ReadonlySet<string>;
  readonly origins: ReadonlySet<string>;
  readonly port: number | undefined;
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'] as const;
const ANY_ADDRESS = new Set(['', '0.0.0.0', '::', '[::]']);
const AUTHORITY = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/;
const ORIGIN = /^https?:\/\/((\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?)$/;

export function createGuard(options: GuardOptions): Guard {
  const { host, port, own_addresses = [], allowed_hosts = [], allowed_origins = [] } = options;
  const own = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  const listening = ANY_ADDRESS.has(host) ? own_addresses : [own];
  return {
    hosts: new Set([...LOOPBACK, ...listening, ...allowed_hosts].map((name) => name.toLowerCase())),
    origins: new Set(allowed_origins.map((origin) => origin.toLowerCase())),
    port,
  };
}

/** True when a request has exactly one Host. With two, a proxy could use the first and this server the second. */
export function hasOneHost(rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count === 1;
}

/** True when the Host header names this server; false without one. */
export function checkHost(guard: Guard, header: string | undefined): boolean {
  if (header === undefined) return false;
  const authority = header.toLowerCase();
  const [, name] = AUTHORITY.exec(authority) ?? [];
  return name !== undefined && (guard.hosts.has(name) || guard.hosts.has(authority));
}

/**
 * True when the Origin header is allowed. Only browsers send one, so it may be absent; `null` is any sandboxed page. A page
 * of this server has the same Origin as the Host that it calls. That counts only if the Host is allowed: a page that
 * reached the server by DNS rebinding has equal headers too.
 */
export function checkOrigin(guard: Guard, header: string | undefined, host?: string): boolean {
  if (header === undefined) return true;
  const origin = header.toLowerCase();
  if (guard.origins.has(origin)) return true;

  const [, authority, name, port] = ORIGIN.exec(origin) ?? [];
  if (authority === undefined) return false;
  if (authority === host?.toLowerCase() && checkHost(guard, host)) return true;
  if (!LOOPBACK.some((loopback) => loopback === name)) return false;
  return guard.port === undefined || portOf(origin, port) === guard.port;
}

function portOf(origin: string, port: string | undefined): number {
  if (port !== undefined) return Number(port);
  return origin.startsWith('https:') ? 443 : 80;
}
