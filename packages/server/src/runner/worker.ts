import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { CHECKS_EXECUTOR } from '#domain/check';
import type { AttemptId, RunId } from '#domain/ids';
import type { OfferedExecutor, Worker as WorkerRow } from '#domain/worker';
import type { Removals } from '#services/attempts/folder-removals';
import type { Leftovers } from '#services/attempts/leftover-folders';
import type { Workers } from '#services/runs/workers';
import type { GitJobs } from '#services/ship/job-queue';
import type { RequestWatches } from '#services/ship/request-watches';
import { createConcurrencyLimit } from './concurrency.ts';
import type { Ship } from './git/ship/ship.ts';
import { createGitJobRunner } from './git-jobs.ts';
import type { PullRequests } from './pull-requests.ts';
import { createReaper } from './reap-lost.ts';
import { createFolderRemoval } from './remove-folders.ts';
import type { RunNeeds } from './run-needs.ts';
import { type ActiveRun, startRun } from './start-run.ts';

export interface WorkerNeeds extends Omit<RunNeeds, 'limitGit'> {
  readonly workers: Workers;
  readonly removals: Removals;
  readonly leftovers: Leftovers;
  readonly gitJobs: GitJobs;
  readonly ship: Ship;
  readonly pullRequests: PullRequests;
  readonly requestWatches: RequestWatches;
  /** Calls the listener soon after every commit. Returns a function that ends that. */
  readonly watch: (listener: () => void) => () => void;
  readonly max_runs: number;
  readonly lease_ms: number;
}

export interface RunningWorker {
  readonly id: string;
  /** The number of runs that it holds. */
  readonly active: () => number;
  /** Takes no more runs, ends its own, and removes the row of the worker. */
  readonly close: () => Promise<void>;
}

const LOOK_EVERY_MS = 1_000;
/** More git commands than processors only make the server wait while they start. */
const MAX_GITS = Math.min(4, availableParallelism());
/** Commits come in bursts: wait for the burst and look once. */
const GATHER_MS = 20;
const CLOSING_MS = 10_000;

/** Takes runs from the queue and does them, until it is closed. */
export async function startWorker(needs: WorkerNeeds): Promise<RunningWorker> {
  const { queue, workers, ids, executors, machine, watch, max_runs, lease_ms, report } = needs;
  const id = ids();
  const active = new Map<RunId, ActiveRun>();
  const limitGit = createConcurrencyLimit(MAX_GITS);
  const reaper = createReaper({ ...needs, worker_id: id, isActive: (execution_id) => active.has(execution_id) });
  const { host_id } = machine;
  const { deadWorkers } = reaper;
  const gitJobs = createGitJobRunner({
    ...{ ...needs, limitGit, worker_id: id, host_id, deadWorkers, liveWorkers: workers.live },
  });
  const removeFolders = createFolderRemoval({ ...needs, host_id: machine.host_id });
  let isClosing = false;
  /** Merges that a worker of this machine left half done come before runs, which would build on them. */
  let recovered: Promise<void> = Promise.resolve();

  async function beat(offered?: readonly OfferedExecutor[]): Promise<void> {
    const row: Omit<WorkerRow, 'started_at' | 'lease_until'> = {
      id,
      host_id: machine.host_id,
      host_name: machine.host_name,
      boot_id: machine.boot_id,
      pid: process.pid,
      pid_started: `${machine.pid_started} ${machine.pid_namespace}`,
      executors: JSON.stringify(offered ?? (await executors.offers())),
      max_runs,
    };
    const holds = [...[...active.values()].map(({ claimed }) => claimed), ...reaper.holds()];
    await gitJobs.renew();
    for (const lost of await workers.beat({ ...row, lease_ms }, holds)) active.get(lost)?.endEarly('lost');
  }

  /** Not part of the beat: it may take long, and leases must not run out meanwhile. */
  async function tidy(): Promise<void> {
    await reaper.reap();
    await gitJobs.reap();
    await removeFolders();
  }

  /** The executors that are ready here, with how many more runs of each this worker takes; null for any number. */
  async function room(): Promise<ReadonlyMap<string, number | null>> {
    const ready = (await executors.offers()).filter(({ is_ready }) => is_ready);
    return new Map<string, number | null>([
      [CHECKS_EXECUTOR, null],
      ...ready.flatMap(({ executor }): [string, number | null][] => {
        const most = executors.resolve(executor, null)?.max_runs ?? null;
        if (most === null) return [[executor, null]];
        const held = [...active.values()].filter(({ claimed }) => claimed.entry.executor === executor).length;
        return held < most ? [[executor, most - held]] : [];
      }),
    ]);
  }

  /** Ends the earlier run of this attempt, lost while this process was asleep: the next run works in the same folders. */
  async function leaveFolders(attempt_id: AttemptId): Promise<void> {
    for (const run of active.values()) {
      if (run.claimed.attempt.id !== attempt_id) continue;
      run.endEarly('lost');
      await run.done;
    }
  }

  async function take(): Promise<void> {
    const limit = max_runs - active.size;
    if (limit <= 0 || isClosing) return;
    const request = { worker_id: id, host_id: machine.host_id, lease_ms, executors: await room(), limit };
    if (!(await queue.hasWaiting(request))) return;
    for (const claimed of await queue.claim(request)) {
      await leaveFolders(claimed.attempt.id);
      const run = startRun(claimed, { ...needs, limitGit });
      if (isClosing) run.endEarly('shutdown');
      active.set(claimed.execution_id, run);
      void run.done.finally(() => {
        if (active.get(claimed.execution_id) === run) active.delete(claimed.execution_id);
        look();
      });
    }
  }

  async function lookOnce(): Promise<void> {
    if (active.size > 0) {
      for (const { execution_id, why } of await workers.toStop(id)) active.get(execution_id)?.endEarly(why);
      await Promise.all([...active.values()].flatMap((run) => [run.lookForAnswers(), run.lookForMessages()]));
    }
    await recovered;
    await take();
    if (!isClosing) await gitJobs.take(look);
  }

  const looking = createRepeated(async () => {
    await sleep(GATHER_MS);
    await lookOnce();
  }, report);
  const beating = createRepeated(() => beat(), report);
  const tidying = createRepeated(tidy, report);
  // A forge may take long to answer.
  const following = createRepeated(() => needs.pullRequests.follow(needs.requestWatches, host_id, report), report);
  const lead = (): void => {
    beating.again();
    tidying.again();
    following.again();
  };
  const look = (): void => {
    if (!isClosing || active.size > 0) looking.again();
  };

  // Do not wait for the versions of agents, which take seconds: the server has to be ready.
  await beat(executors.offersSoFar());
  recovered = gitJobs.reap().catch(report);
  beating.again();
  const unwatch = watch(look);
  const timers = [setInterval(look, LOOK_EVERY_MS), setInterval(lead, lease_ms / 3)];
  tidying.again();
  look();

  return {
    id,
    active: () => active.size,
    close: async () => {
      isClosing = true;
      for (const run of active.values()) run.endEarly('shutdown');
      // Wait for a claim that is under way: its runs have to end as well.
      await looking.settled();
      const ended = Promise.all([...active.values()].map(({ done }) => done));
      // A database that is away must not keep the process: the next worker finds the runs by their lease.
      const settled = Promise.all([ended, gitJobs.settled(), following.settled()]);
      await Promise.race([settled, sleep(CLOSING_MS, undefined, { ref: false })]);
      for (const timer of timers) clearInterval(timer);
      unwatch();
      await Promise.all([looking.settled(), beating.settled(), tidying.settled()]);
      await workers.leave(id).catch(report);
    },
  };
}

/** Repeats the work when it was asked for while it ran, and never runs it twice at once. */
function createRepeated(work: () => Promise<void>, report: (error: unknown) => void) {
  let running: Promise<void> | null = null;
  let isWanted = false;

  async function run(): Promise<void> {
    while (isWanted) {
      isWanted = false;
      await work().catch(report);
    }
    running = null;
  }

  return {
    again: (): void => {
      isWanted = true;
      running ??= run();
    },
    settled: async (): Promise<void> => {
      await running;
    },
  };
}
