import { join } from 'node:path';
import { type Config, isLoopback, privatePlaces } from '#config';
import { environment } from '#environment';
import type { Log } from '#observability/log';
import { createExecutors } from '#runner/executors/create-executors';
import { createOperatorProgram } from '#runner/forge/operator-program';
import { createAttemptFolders } from '#runner/git/attempt-folders';
import { createGit } from '#runner/git/git';
import { createShip } from '#runner/git/ship/ship';
import { realPath } from '#runner/process/hidden-paths';
import { readMachine } from '#runner/process/machine';
import { createProcesses } from '#runner/process/processes';
import { createPullRequests } from '#runner/pull-requests';
import { readConfig } from '#runner/read-config';
import { type RunningWorker, startWorker } from '#runner/worker';
import { createRemovals } from '#services/attempts/folder-removals';
import { createLeftovers } from '#services/attempts/leftover-folders';
import { createRunQueue } from '#services/runs/queue';
import { createRunLog } from '#services/runs/run-log';
import { createRunMessages } from '#services/runs/run-messages';
import { unmatchedNames } from '#services/runs/unmatched-names';
import { createWorkers } from '#services/runs/workers';
import { createGitJobs } from '#services/ship/job-queue';
import { createRequestWatches } from '#services/ship/request-watches';
import { stopSignal } from '#transports/cli/stop-signal';
import { clock, type Errand } from './compose.ts';
import { reporter } from './compose-health.ts';
import { openTasks } from './compose-tasks.ts';
import { openParts } from './open-parts.ts';

export interface WorkerOptions {
  /** The folder that holds the folders of attempts. */
  readonly data: string;
  readonly config: ReturnType<typeof readConfig>;
  /** Files and folders that agents must not see. */
  readonly hides: readonly string[];
  /** The address at which agents reach Errand. */
  readonly url: string;
  /** Whether known agents on the PATH are offered in addition to the configured ones. */
  readonly offer_known: boolean;
  /** The command line that starts this program, for agents that take MCP servers as commands. */
  readonly errand_argv: readonly string[];
  readonly log: Log;
}

/** This profile opens no database: an agent must not have one. */
const REPORTER = ['mcp', '--profile', 'executions'];
const MAX_RUNS = 8;
const LEASE_MS = 15_000;

/** Reads the executors from `config.json` in the data folder. Throws for an invalid one. */
export const readWorkerConfig = (data: string): WorkerOptions['config'] => readConfig(data);

const EXPOSED =
  'Agents can read and change the data folder, and through it make themselves administrators: start only agents that you trust. See SECURITY.md.';

/** Says why the data folder cannot be hidden from agents. */
function exposure({ isHome, isolation }: { readonly isHome: boolean; readonly isolation: 'auto' | 'off' }): string {
  if (isHome) return 'HOME is the data folder, and agents need their home';
  return isolation === 'off'
    ? 'config.json says "isolation": "off"'
    : 'this machine allows no namespaces, or lacks unshare or setpriv';
}

/** Runs attempts in this process until it is closed. */
export async function openWorker(
  errand: Pick<Errand, 'store' | 'ids'>,
  options: WorkerOptions,
): Promise<RunningWorker> {
  const { data, config, hides, url, offer_known, errand_argv, log } = options;
  const { store, ids } = errand;
  const report = reporter(log, 'runner');
  const { max_runs = MAX_RUNS, lease_ms = LEASE_MS, isolation = 'auto' } = config.runner;
  const env = environment();
  const machine = readMachine(data, { ids, clock });
  const isHome = hides.some((path) => realPath(path) === realPath(env.HOME ?? ''));
  const processes = await createProcesses({ machine, isolation, hides: isHome ? [] : hides, report });
  log.info('runs attempts', { isolation: processes.isolation, max_runs });
  if (isHome || !processes.hides) log.warn(EXPOSED, { why: exposure({ isHome, isolation }) });
  const root = join(data, 'attempts');
  const git = createGit(env);
  const named = [...Object.keys(config.checks), ...Object.keys(config.budgets.projects)];
  for (const name of await unmatchedNames(store.reads, [...new Set(named)])) {
    log.warn('config.json names a project or repository that there is not', { name });
  }
  return startWorker({
    queue: createRunQueue(store, ids, config.budgets),
    log: createRunLog(store, ids, config.budgets),
    messages: createRunMessages(store, ids),
    ids,
    clock,
    workers: createWorkers(store, { ids, budgets: config.budgets }),
    removals: createRemovals(store),
    leftovers: createLeftovers(store),
    processes,
    attemptFolders: createAttemptFolders({ root, operator: env }),
    gitJobs: createGitJobs(store, ids),
    ship: createShip({ git, root }),
    pullRequests: createPullRequests({ git, run: createOperatorProgram(env), forges: config.forges, clock }),
    requestWatches: createRequestWatches(store, ids),
    executors: createExecutors({ config, offerKnown: offer_known, env, errandArgv: [...errand_argv, ...REPORTER] }),
    checks: config.checks,
    machine,
    env,
    url,
    watch: store.watch,
    max_runs,
    lease_ms,
    report,
  });
}

interface ServedWorker extends Pick<WorkerOptions, 'url' | 'errand_argv' | 'log'> {
  readonly config: Config;
  readonly runs: WorkerOptions['config'];
}

/** `errand worker`: runs attempts, and calls that continue as tasks, until a stop signal. */
export async function serveWorker(errand: Errand, { config, runs, ...options }: ServedWorker): Promise<void> {
  const { log, url } = options;
  const stopped = stopSignal();
  const { worker, close } = await openParts(async (parts) => {
    const { tasks } = await openTasks({ ...errand, store: config.task_store, limits: config.task_limits, log });
    parts.defer(() => tasks.close());
    const offer_known = isLoopback(new URL(url).hostname);
    const hides = privatePlaces(config);
    const opened = await openWorker(errand, { ...options, data: config.data, config: runs, hides, offer_known });
    parts.defer(opened.close);
    return { worker: opened };
  });
  try {
    errand.startHousekeeping();
    log.info('ready', { worker_id: worker.id, url });
    await stopped;
    log.info('stopping');
  } finally {
    await close();
  }
}
