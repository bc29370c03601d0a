import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Config, type Database, databaseName } from '#config';
import { DEFAULT_LIMITS } from '#domain/limits';
import { createGateway } from '#gateway/dispatch';
import type { Gateway } from '#gateway/gateway';
import type { Log } from '#observability/log';
import { createMetrics, type Metrics } from '#observability/metrics';
import { createCursors } from '#services/cursors';
import { startHousekeeping } from '#services/housekeeping';
import { ensureInstallation, findInstallation, type Installation } from '#services/installation';
import { createServers, type Servers } from '#services/servers';
import { createServices } from '#services/services';
import type { ProjectSource, TaskerAdapter } from '#services/tasker/adapter';
import { localTracker } from '#services/tasker/local-tracker';
import { AS_OWNER, type Opening } from '#store/opening';
import { noData } from '#store/sql/database-error';
import type { OnHealth } from '#store/sql/health';
import type { Store } from '#store/store';
import { createUuidV7 } from '#store/uuid-v7';
import { catalog } from '#tools/catalog';
import { logHealth, reporter } from './compose-health.ts';

/** The product without a way in. */
export interface Errand {
  readonly gateway: Gateway;
  readonly installation: Installation;
  readonly metrics: Metrics;
  readonly check: Store['check'];
  /** What opening did to the schema. */
  readonly schema: Store['schema'];
  /** For what runs attempts, which has no caller. */
  readonly store: Pick<Store, 'reads' | 'transaction' | 'watch'>;
  readonly ids: () => string;
  readonly servers: Servers;
  /** Does what must be done again and again until it is closed: for processes that last. */
  readonly keepHouse: () => void;
  readonly close: Store['close'];
}

const HEADS = 'ref: refs/heads/';

export const clock = (): number => Date.now();

/** How to open the database, and what to do when it fails. */
export interface OpeningNeeds {
  readonly opening?: Opening;
  readonly onHealth?: OnHealth;
}

type StoreNeeds = Required<OpeningNeeds> & { readonly ids: () => string };

async function openStore(database: Database, needs: StoreNeeds): Promise<Store> {
  if (database.kind === 'postgres') {
    const { openPostgresStore } = await import('#store/sql/postgres/open-postgres-store');
    return openPostgresStore({ url: database.url, ...needs });
  }
  const { openSqliteStore } = await import('#store/sql/sqlite/open-sqlite-store');
  return openSqliteStore({ path: database.path, clock, ...needs });
}

/** Errand's own store, unless a Plane keeps the work items. */
async function openTracker(
  plane: Config['plane'],
  ids: () => string,
): Promise<{ readonly tracker: TaskerAdapter; readonly source: ProjectSource | null }> {
  if (plane === null) return { tracker: localTracker({ ids }), source: null };
  const { planeTracker } = await import('#tracker/plane/plane-tracker');
  const tracker = planeTracker(plane);
  return { tracker, source: tracker };
}

/** Of a work tree that belongs to another repository it is not known: `.git` is a file there. */
function headBranch(path: string): string | null {
  for (const head of [join(path, '.git', 'HEAD'), join(path, 'HEAD')]) {
    const text = existsSync(head) ? readFileSync(head, 'utf8').trim() : '';
    if (text.startsWith(HEADS)) return text.slice(HEADS.length);
  }
  return null;
}

/** Of a work tree that belongs to another repository it is not known: `.git` is a file there. */
export function hasCommits(path: string): boolean {
  const folder = [join(path, '.git'), path].find((place) => existsSync(join(place, 'HEAD')));
  if (folder === undefined || ['packed-refs', 'reftable'].some((name) => existsSync(join(folder, name)))) return true;
  return readdirSync(join(folder, 'refs', 'heads'), { recursive: true, withFileTypes: true }).some((entry) =>
    entry.isFile(),
  );
}

const isRepository = (path: string): boolean =>
  existsSync(join(path, '.git')) || (existsSync(join(path, 'HEAD')) && existsSync(join(path, 'objects')));

function ownerName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run under a number that has no name.
    return 'owner';
  }
}

/** Opens the store and puts the gateway in front of it. */
export async function openErrand(
  config: Pick<Config, 'database' | 'plane' | 'allow_anonymous'> &
    Partial<Pick<Config, 'limits' | 'client_session_limits'>>,
  log: Log,
  { opening = AS_OWNER, onHealth = logHealth(log, config.database) }: OpeningNeeds = {},
): Promise<Errand> {
  const ids = createUuidV7(clock);
  const store = await openStore(config.database, { ids, opening, onHealth });
  try {
    const found = await findInstallation(store.reads);
    if (found === null && !opening.create) throw noData(databaseName(config.database));
    const installation = found ?? (await ensureInstallation(store, ids, ownerName()));
    const metrics = createMetrics(clock());
    const { tracker, source } = await openTracker(config.plane, ids);
    const cursors = createCursors(installation.cursor_secret);
    const ports = {
      ids,
      clock,
      pause: (ms: number, signal?: AbortSignal) =>
        setTimeout(ms, undefined, signal && { signal }).catch(() => undefined),
      cursors,
      limits: config.limits ?? DEFAULT_LIMITS,
      isRepository,
      hasCommits,
      headBranch,
    };
    const gateway = createGateway({
      store,
      services: createServices(ports, tracker, source),
      catalog,
      installation,
      tracker,
      allowAnonymous: config.allow_anonymous,
      ...(config.client_session_limits && { client_session_limits: config.client_session_limits }),
      clock,
      report: reporter(log, 'a trail or a change is lost'),
      observe: (record) => {
        metrics.call(record.tool, record.outcome, record.latency_ms);
        // What someone does at the machine itself is answered on their screen.
        if (record.transport !== 'cli' || record.outcome !== 'ok') log.call(record);
      },
    });
    let stopHousekeeping = (): void => {};
    const keepHouse = (): void => {
      stopHousekeeping = startHousekeeping(store, reporter(log, 'housekeeping failed'), {
        limits: ports.limits,
        session_idle_ms: config.client_session_limits?.idle_ms,
      });
    };
    const close = async (): Promise<void> => {
      stopHousekeeping();
      await gateway.close().catch(reporter(log, 'counted refusals are lost'));
      await store.close();
    };
    return {
      gateway,
      installation,
      metrics,
      check: store.check,
      schema: store.schema,
      store,
      ids,
      servers: createServers(store),
      keepHouse,
      close,
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}
