import { hostname } from 'node:os';
import { createMcpHttp } from '@errand/mcp/node';
import { getRequestListener } from '@hono/node-server';
import { type Config, isLoopback, privatePlaces } from '#config';
import type { Log } from '#observability/log';
import { watchMemory } from '#observability/memory-pressure';
import type { RunningWorker } from '#runner/worker';
import { catalog } from '#tools/catalog';
import { createAddressOf } from '#transports/address';
import type { Report } from '#transports/answer';
import { askTool } from '#transports/ask-tool';
import { createBearer } from '#transports/bearer';
import { issueFirstToken } from '#transports/cli/first-token';
import { createSignInKey } from '#transports/cli/open';
import type { Served } from '#transports/cli/serve';
import { createEventStreams } from '#transports/events/streams';
import { createHttpServer, type HttpServer, type McpProfile } from '#transports/http';
import { type Caller, createCatalogHost } from '#transports/mcp/catalog-host';
import { createCatalogSessions } from '#transports/mcp/catalog-sessions';
import { createMcpFailures } from '#transports/mcp/failures';
import { createViews } from '#transports/mcp/views';
import { createRest } from '#transports/rest/rest';
import { createWeb } from '#transports/web/web';
import { clock, type Errand, openErrand } from './compose.ts';
import { openCommands } from './compose-commands.ts';
import { schemaLine } from './compose-health.ts';
import { type OpenedTasks, openTasks } from './compose-tasks.ts';
import type { WorkerOptions } from './compose-worker.ts';
import { openParts } from './open-parts.ts';

export interface ServerNeeds {
  readonly tasks?: OpenedTasks;
  readonly config: Pick<Config, 'allowed_hosts' | 'allowed_origins' | 'trusted_proxies' | 'traffic'>;
  /** The profile of `/mcp` itself. */
  readonly profile: McpProfile;
  readonly version: string;
  readonly log: Log;
}

/** Creates the HTTP server of an Errand, ready to listen. */
export function createServer(
  errand: Pick<Errand, 'gateway' | 'metrics' | 'check'>,
  { tasks, config, profile, version, log }: ServerNeeds,
): HttpServer {
  const { gateway, metrics, check } = errand;
  const addressOf = createAddressOf(config.trusted_proxies);
  const bearer = createBearer(gateway, clock, addressOf);
  const report: Report = (error, correlation_id) => log.error('request failed', { correlation_id, error });

  const sessions = createCatalogSessions(gateway);
  const views = createViews<Caller>();
  const openEndpoint = (name: McpProfile) =>
    createMcpHttp(
      createCatalogHost({ gateway, profile: name, transport: 'mcp-http', version, views, ...(tasks && { tasks }) }),
      { sessions, report, failures: createMcpFailures(report), max_batch_bytes: config.traffic.max_batch_bytes },
    );
  const endpoints = new Map<McpProfile, ReturnType<typeof openEndpoint>>();

  const web = createWeb({ gateway, version, report, clock, addressOf });
  const events = createEventStreams({ gateway, authenticate: bearer.authenticateAny });
  metrics.gauge({ name: 'errand_event_listeners', help: 'Open event streams.', read: gateway.events.listeners });
  metrics.gauge({
    name: 'errand_event_backlog',
    help: 'Changes that the slowest event stream has still to hear of.',
    read: gateway.events.backlog,
  });

  return createHttpServer({
    ...bearer,
    addressOf,
    narrow: gateway.narrow,
    rest: createRest({ tools: catalog, gateway, authenticate: bearer.authenticateAny, profile, version, events }),
    mcp: (name) => {
      const endpoint = endpoints.get(name) ?? openEndpoint(name);
      endpoints.set(name, endpoint);
      return endpoint;
    },
    app: getRequestListener(web.fetch, { overrideGlobalObjects: false }),
    metrics: metrics.text,
    checkReady: async () => {
      await check();
      await tasks?.check();
    },
    closeStreams: () => {
      for (const endpoint of endpoints.values()) endpoint.close();
      events.close();
    },
    report,
    tellRefusal: (refusal) => log.warn('request refused', { ...refusal }),
    profile,
    traffic: config.traffic,
    allowed_hosts: config.allowed_hosts,
    allowed_origins: config.allowed_origins,
  });
}

type ServedNeeds = Pick<ServerNeeds, 'profile' | 'version' | 'log'> & Pick<WorkerOptions, 'errand_argv'>;

/** Opens an Errand with its server, for `errand serve`. */
export async function openServed(config: Config, needs: ServedNeeds): Promise<Served> {
  const { openWorker, readWorkerConfig } = await import('./compose-worker.ts');
  // Read before anything is open: a file with a mistake keeps the server from starting.
  const { configDigest } = await import('#runner/read-config');
  const config_digest = configDigest(config.data);
  const runs = readWorkerConfig(config.data);
  const { log } = needs;
  return openParts(async (parts) => {
    const errand = await openErrand({ ...config, budgets: runs.budgets }, log);
    parts.defer(errand.close);
    const changed = schemaLine(config.database, errand.schema);
    if (changed !== null) log.info(changed);
    const { task_store, task_limits, allow_anonymous } = config;
    const tasks = await openTasks({ ...needs, ...errand, store: task_store, limits: task_limits, allow_anonymous });
    parts.defer(() => tasks.tasks.close());
    errand.startHousekeeping();
    errand.startSamples();
    const memory = watchMemory({ target_bytes: config.traffic.memory_target });
    parts.defer(memory.stop);
    let worker: RunningWorker | null = null;
    return {
      server: createServer(errand, { ...needs, tasks, config }),
      log,
      is_new: errand.installation.created,
      config_digest,
      createSignInKey: () => createSignInKey(errand.gateway),
      needsFirstAdmin: async () => !(isLoopback(config.host) || (await errand.gateway.hasPasswords())),
      issueFirstToken: () => issueFirstToken(errand.gateway, errand.installation),
      ownExecutors: () => readyAmong(errand.gateway, Object.keys(runs.executors)),
      announce: (url) => announceServer(config, errand, { ...needs, url }),
      startRuns: async (url) => {
        const { data, host } = config;
        const hides = privatePlaces(config);
        const options = { data, config: runs, hides, url, offer_known: isLoopback(host), ...needs };
        worker = await openWorker(errand, options);
        errand.metrics.gauge({ name: 'errand_runs', help: 'Runs of agents that go on here.', read: worker.active });
      },
      stopRuns: async () => {
        await worker?.close();
      },
    };
  });
}

/** The titles of these executors that are ready on some worker. */
async function readyAmong(gateway: Errand['gateway'], names: readonly string[]): Promise<readonly string[]> {
  if (names.length === 0) return [];
  const caller = await gateway.local();
  const asked = await askTool(gateway, {
    profile: 'board',
    name: 'list_executors',
    caller,
    input: {},
    transport: 'cli',
  });
  if (!asked.ok) return [];
  return asked.value.executors.flatMap(({ executor, title, is_ready }) =>
    is_ready && names.includes(executor) ? [title] : [],
  );
}

/** Lets the commands of this machine, and other processes on the database, find the server. Resolves with the function that ends it. */
async function announceServer(
  config: Config,
  errand: Errand,
  { url, version, log }: { readonly url: string; readonly version: string; readonly log: Log },
): Promise<() => Promise<void>> {
  const ends = await Promise.all([
    recordServer(config, errand, { url, log }),
    openCommands(config, { gateway: errand.gateway, version, log }),
  ]);
  return async () => {
    await Promise.all(ends.map((end) => end()));
  };
}

/** Records the server's address in a database that other machines use too. */
async function recordServer(
  { database }: Config,
  { servers, ids }: Errand,
  { url, log }: { readonly url: string; readonly log: Log },
): Promise<() => Promise<void>> {
  // The file beside a SQLite database says the same, and only processes of this machine can open the database.
  if (database.kind === 'sqlite') return async () => undefined;
  const failed = (error: unknown): void => log.warn('the server could not be announced', { error });
  return servers.announce({ id: ids(), host_name: hostname(), url }, failed);
}
