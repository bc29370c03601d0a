import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statfsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Config, type Database, databaseName } from '#config';
import { NO_BUDGETS } from '#domain/budget';
import type { NewId } from '#domain/ids';
import { DEFAULT_LIMITS } from '#domain/limits';
import type { DiskFigures } from '#domain/operations';
import { isFault } from '#errors';
import { createGateway } from '#gateway/dispatch';
import type { Call, CallRecord, Gateway } from '#gateway/gateway';
import { createCallHistory } from '#observability/call-history';
import type { Log } from '#observability/log';
import { createMetrics, type Metrics } from '#observability/metrics';
import { createQueueHistory } from '#observability/queue-history';
import { createCursors } from '#services/cursors';
import { startHousekeeping } from '#services/housekeeping';
import { ensureInstallation, findInstallation, type Installation } from '#services/installation';
import { PASSWORD_COST } from '#services/password-hash';
import type { Ports } from '#services/ports';
import { startQueueSamples } from '#services/queue-samples';
import { createServers, type Servers } from '#services/servers';
import { createServices } from '#services/services';
import type { ProjectSource, TaskerAdapter } from '#services/tasker/adapter';
import { localTracker } from '#services/tasker/local-tracker';
import { AS_OWNER, type Opening } from '#store/opening';
import { noData } from '#store/sql/database-error';
import type { OnHealth } from '#store/sql/health';
import type { Store } from '#store/store';
import { createUuidV7 } from '#store/uuid-v7';
import { catalog, WAITING } from '#tools/catalog';
import { logHealth, reporter } from './compose-health.ts';
import { openParts } from './open-parts.ts';
import { VERSION } from './version.ts';

/** The product without its transports. */
export interface Errand {
  readonly gateway: Gateway;
  readonly installation: Installation;
  readonly metrics: Metrics;
  readonly check: Store['check'];
  /** The migrations that opening applied. */
  readonly schema: Store['schema'];
  /** For workers, whose writes have no caller. */
  readonly store: Pick<Store, 'reads' | 'transaction' | 'watch'>;
  readonly ids: NewId;
  readonly servers: Servers;
  /** Starts the chores that a long-lived process repeats until it is closed, such as removing what has expired. */
  readonly startHousekeeping: () => void;
  /** Notes each minute how many runs wait, for the figures of the server that shows them. */
  readonly startSamples: () => void;
  readonly close: Store['close'];
}

const HEADS = 'ref: refs/heads/';

export const clock = (): number => Date.now();

/** How to open the database, and what to do when it fails. */
export interface OpeningNeeds {
  readonly opening?: Opening;
  readonly onHealth?: OnHealth;
}

type StoreNeeds = Required<OpeningNeeds> & { readonly ids: NewId };

async function openStore(database: Database, needs: StoreNeeds): Promise<Store> {
  if (database.kind === 'postgres') {
    const { openPostgresStore } = await import('#store/sql/postgres/open-postgres-store');
    return openPostgresStore({ url: database.url, ...needs });
  }
  const { openSqliteStore } = await import('#store/sql/sqlite/open-sqlite-store');
  return openSqliteStore({ path: database.path, clock, ...needs });
}

/** Opens Errand's own tracker, unless a Plane keeps the work items. */
async function openTracker(
  plane: Config['plane'],
  { ids, clock }: { readonly ids: NewId; readonly clock: () => number },
): Promise<{ readonly tracker: TaskerAdapter; readonly source: ProjectSource | null }> {
  if (plane === null) return { tracker: localTracker({ ids }), source: null };
  const { planeTracker } = await import('#tracker/plane/plane-tracker');
  const tracker = planeTracker(plane, { clock });
  return { tracker, source: tracker };
}

/** The branch that a repository has checked out; null for a linked work tree, where `.git` is a file. */
function headBranch(path: string): string | null {
  for (const head of [join(path, '.git', 'HEAD'), join(path, 'HEAD')]) {
    const text = existsSync(head) ? readFileSync(head, 'utf8').trim() : '';
    if (text.startsWith(HEADS)) return text.slice(HEADS.length);
  }
  return null;
}

/** Whether a repository has commits; true for a linked work tree, where `.git` is a file that is not followed. */
export function hasCommits(path: string): boolean {
  const folder = [join(path, '.git'), path].find((place) => existsSync(join(place, 'HEAD')));
  if (folder === undefined || ['packed-refs', 'reftable'].some((name) => existsSync(join(folder, name)))) return true;
  return readdirSync(join(folder, 'refs', 'heads'), { recursive: true, withFileTypes: true }).some((entry) =>
    entry.isFile(),
  );
}

const isFolder = (path: string): boolean => existsSync(`${path}/.`);

const isRepository = (path: string): boolean =>
  existsSync(join(path, '.git')) || (existsSync(join(path, 'HEAD')) && existsSync(join(path, 'objects')));

function ownerName(): string {
  try {
    return userInfo().username;
  } catch {
    // In a container the user id may have no name.
    return 'owner';
  }
}

/** The disk of a database that is a file; null for one on another machine, and where the system does not tell. */
function diskOf(database: Database): DiskFigures | null {
  if (database.kind !== 'sqlite') return null;
  try {
    const { bavail, blocks, bsize } = statfsSync(dirname(database.path));
    return { free_bytes: bavail * bsize, total_bytes: blocks * bsize };
  } catch {
    return null;
  }
}

type ErrandConfig = Pick<Config, 'database' | 'plane' | 'allow_anonymous'> &
  Partial<Pick<Config, 'limits' | 'client_session_limits'> & Pick<Ports, 'budgets'>>;

const portsOf = (
  { limits = DEFAULT_LIMITS, budgets = NO_BUDGETS }: ErrandConfig,
  { cursor_secret, ...own }: Pick<Ports, 'ids' | 'watch' | 'calls' | 'server'> & Pick<Installation, 'cursor_secret'>,
): Ports => ({
  ...own,
  clock,
  pause: (ms, signal) => setTimeout(ms, undefined, signal && { signal }).catch(() => undefined),
  cursors: createCursors(cursor_secret),
  version: VERSION,
  password_cost: PASSWORD_COST,
  limits,
  budgets,
  isFolder,
  isRepository,
  hasCommits,
  headBranch,
});

/** Opens the store and creates the gateway in front of it. */
export async function openErrand(
  config: ErrandConfig,
  log: Log,
  { opening = AS_OWNER, onHealth = logHealth(log, config.database) }: OpeningNeeds = {},
): Promise<Errand> {
  const ids = createUuidV7(clock);
  return openParts(async (parts) => {
    const store = await openStore(config.database, { ids, opening, onHealth });
    parts.defer(store.close);
    const found = await findInstallation(store.reads);
    if (found === null && !opening.create) throw noData(databaseName(config.database));
    const installation = found ?? (await ensureInstallation(store, ids, ownerName()));
    const metrics = createMetrics(clock());
    const { tracker, source } = await openTracker(config.plane, { ids, clock });
    const calls = createCallHistory(clock, { waiting: WAITING, isFault });
    const history = createQueueHistory(clock);
    const server: Ports['server'] = {
      tools: catalog.length,
      events: () => {
        const { listeners, backlog, lag } = gateway.events;
        return { listeners: listeners(), backlog: backlog(), lag_ms: lag() };
      },
      disk: () => diskOf(config.database),
      queued: history.queued,
      firstSize: history.firstSize,
    };
    const { cursor_secret } = installation;
    const ports = portsOf(config, { ids, watch: store.watch, calls, server, cursor_secret });
    const gateway = createGateway({
      store,
      services: createServices(ports, tracker, source),
      catalog,
      installation,
      tracker,
      allowAnonymous: config.allow_anonymous,
      ...(config.client_session_limits && { client_session_limits: config.client_session_limits }),
      clock,
      randomId: randomUUID,
      report: reporter(log, 'a trail or a change is lost'),
      sawAgent: calls.saw,
      observe: observing(metrics, log, calls),
    });
    parts.defer(() => gateway.close().catch(reporter(log, 'counted refusals are lost')));
    const { check, schema } = store;
    const servers = createServers(store);
    const limits = { limits: ports.limits, session_idle_ms: config.client_session_limits?.idle_ms };
    return {
      ...{ gateway, installation, metrics, check, schema, store, ids, servers },
      startHousekeeping: () => parts.defer(startHousekeeping(store, reporter(log, 'housekeeping failed'), limits)),
      startSamples: () =>
        parts.defer(
          startQueueSamples({
            reads: store.reads,
            workspace_id: installation.workspace_id,
            add: history.add,
            failed: reporter(log, 'the queue could not be measured'),
          }),
        ),
    };
  });
}

/** Counts each call, and logs it. A call at the terminal that succeeds is not logged: its answer is on the screen. */
const observing =
  (metrics: Metrics, log: Log, calls: ReturnType<typeof createCallHistory>) =>
  (record: CallRecord, client: Call['client']): void => {
    calls.add(record, client);
    metrics.call(record.tool, record.outcome, record.latency_ms);
    if (record.transport !== 'cli' || record.outcome !== 'ok') log.call(record);
  };
