import { type IncomingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { createServer } from '#compose-http';
import { type OpenedTasks, openTasks } from '#compose-tasks';
import { createLog } from '#observability/log';
import { createMetrics } from '#observability/metrics';
import { LOOPBACK_PROXIES } from '#transports/address';
import { DEFAULT_TRAFFIC } from '#transports/traffic';
import { checkAnswer } from './rest-contract.ts';
import { createWorld, type World } from './world.ts';

export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Said {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly json: Record<string, unknown>;
}

function parsed(body: string): Record<string, unknown> {
  try {
    return JSON.parse(body) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** Sends exactly these headers; `fetch` does not let a test set the Host. */
export const ask = (url: string, { method = 'GET', headers = {}, body }: Asked = {}): Promise<Said> =>
  new Promise((resolve, reject) => {
    const req = request(url, { method, headers, agent: false }, (res) => {
      text(res).then((said) => {
        resolve({ status: res.statusCode ?? 0, headers: res.headers, text: said, json: parsed(said) });
      }, reject);
    });
    req.on('error', reject);
    req.end(body);
  });

type ServedConfig = Partial<Parameters<typeof createServer>[1]['config']>;

const QUIET = createLog({ level: 'silent', fd: 2 });

type Warning = Readonly<Record<string, unknown>>;

interface Watched {
  readonly ready: Pick<World['store'], 'check'>;
  /** Collects the warnings that the server logs. */
  readonly warnings: Warning[];
  /** The port to listen on, if it is free. */
  readonly wanted: number;
}

async function listen(world: World, tasks: OpenedTasks, config: ServedConfig, { ready, warnings, wanted }: Watched) {
  const server = createServer(
    { gateway: world.gateway, metrics: createMetrics(0), check: () => ready.check() },
    {
      tasks,
      config: {
        allowed_hosts: [],
        allowed_origins: [],
        trusted_proxies: LOOPBACK_PROXIES,
        traffic: DEFAULT_TRAFFIC,
        ...config,
      },
      profile: 'all',
      version: '1.2.3',
      log: { ...QUIET, warn: (message, fields) => void warnings.push({ message, ...fields }) },
    },
  );
  const { port } = await server.listen('127.0.0.1', wanted).catch(() => server.listen('127.0.0.1', 0));
  return { server, port, url: `http://127.0.0.1:${port}` };
}

/** The test world behind a real listener. */
export async function createServed(
  config: ServedConfig = {},
  options: Parameters<typeof createWorld>[0] = {},
  wanted = 0,
) {
  const world = await createWorld(options);
  const { gateway, installation, store } = world;
  const ready = { check: () => store.check() };
  const allow_anonymous = options.allowAnonymous ?? false;
  const tasks = await openTasks({ store: { kind: 'memory' }, gateway, installation, log: QUIET, allow_anonymous });
  const warnings: Warning[] = [];
  const { server, port, url } = await listen(world, tasks, config, { ready, warnings, wanted });
  const { token } = await world.token({});
  const authorization = `Bearer ${String(token)}`;

  return {
    world,
    ...tasks,
    server,
    /** The warnings that the server logged. */
    warnings,
    ready,
    url,
    port,
    authorization,
    /** Opens another server on the same data. */
    beside: async () => {
      const other = await listen({ ...world, gateway: world.openGateway() }, tasks, config, {
        ready,
        warnings,
        wanted: 0,
      });
      return { url: other.url, [Symbol.asyncDispose]: () => other.server.drain(0) };
    },
    /** Stops the server. The returned function starts another one on the same data, at the same address. */
    stop: async () => {
      await server.drain(0);
      return async () => {
        const again = await listen({ ...world, gateway: world.openGateway() }, tasks, config, {
          ready,
          warnings,
          wanted: port,
        });
        if (again.port !== port) throw new Error(`Another program has taken the port ${port}.`);
        return { [Symbol.asyncDispose]: () => again.server.drain(0) };
      };
    },
    /** Sends a request with the token, and with a JSON body if there is one. The answer must be as the OpenAPI document says. */
    call: async (method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) => {
      const said = await ask(`${url}${path}`, {
        method,
        headers: { authorization, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      checkAnswer({ method, path, ...said });
      return said;
    },
    [Symbol.asyncDispose]: async () => {
      await server.drain(0);
      await tasks.tasks.close({ grace_ms: 0 });
      await store.close();
    },
  };
}
