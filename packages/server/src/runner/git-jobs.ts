import type { GitJob } from '#domain/git-job';
import type { GitJobId } from '#domain/ids';
import { createOneAtATime } from '#domain/one-at-a-time';
import type { Worker } from '#domain/worker';
import { isDatabaseError } from '#errors';
import type { CarriedComment } from '#services/runs/carried-comments';
import type { ClaimedJob } from '#services/ship/claimed-job';
import type { JobEnding } from '#services/ship/end-job';
import { type JobHold, JobLost } from '#services/ship/held-job';
import type { GitJobs } from '#services/ship/job-queue';
import { carryComments } from './carry-comments.ts';
import type { ConcurrencyLimit } from './concurrency.ts';
import type { AttemptFolders } from './git/attempt-folders.ts';
import { GitError } from './git/git-error.ts';
import type { Ship } from './git/ship/ship.ts';
import { completeJob, endsAs, movesOf, planJob } from './plan-job.ts';
import type { PullRequests } from './pull-requests.ts';

export interface GitJobNeeds {
  readonly worker_id: string;
  readonly host_id: string;
  readonly lease_ms: number;
  readonly gitJobs: GitJobs;
  readonly ship: Ship;
  readonly attemptFolders: Pick<AttemptFolders, 'between'>;
  readonly pullRequests: Pick<PullRequests, 'openAll'>;
  readonly limitGit: ConcurrencyLimit;
  /** The workers of this machine whose process is certainly gone. */
  readonly deadWorkers: () => Promise<readonly string[]>;
  readonly liveWorkers: () => Promise<readonly Worker[]>;
  readonly report: (error: unknown) => void;
}

/** The merges, rebases and pull requests that a worker carries out. */
export interface GitJobRunner {
  /** Begins jobs that wait for this machine. `onEnd` is called when one has ended. */
  readonly take: (onEnd: () => void) => Promise<void>;
  /** Goes on with jobs whose worker is gone, and resolves when those are ended. */
  readonly reap: () => Promise<void>;
  /** Renews the leases of the jobs that it holds. */
  readonly renew: () => Promise<void>;
  /** Resolves when no job is under way here. */
  readonly settled: () => Promise<void>;
}

const MAX_GIT_JOBS = 2;

/** A lost job whose branches may have moved is left to its own machine this long, then to any that shares the disk. */
const HOME_HAS_MS = 60_000;

export function createGitJobRunner(needs: GitJobNeeds): GitJobRunner {
  const { worker_id, host_id, lease_ms, gitJobs, ship, limitGit, report } = needs;
  const active = new Map<GitJobId, { readonly hold: JobHold; readonly done: Promise<void> }>();
  const oneAtATime = createOneAtATime();

  /** Removes what the preparation of a job left in the repositories. */
  async function forget({ job, repos, attempt }: ClaimedJob): Promise<void> {
    const places = repos.map(({ repo_path }) => ({ source: repo_path, attempt_id: attempt.id }));
    await ship.forget(job.id, places).catch(report);
  }

  /** Carries a job out from its beginning, or from the plan that an earlier worker has stored. */
  async function carryOut(claimed: ClaimedJob, onPlanned: () => void): Promise<void> {
    const { job } = claimed;
    if (job.kind === 'pull_request') return gitJobs.finish(job, await needs.pullRequests.openAll(claimed));
    const planned = job.plan === null ? await limitGit(() => planJob(ship, claimed)) : { plan: job.plan };
    if ('ending' in planned) return gitJobs.finish(job, planned.ending);
    const { plan } = planned;
    // Before it is known to be stored: if that fails, it may be stored all the same.
    onPlanned();
    if (job.plan === null && !(await gitJobs.commit(job, plan))) return forget(claimed);
    const isOurs = (): Promise<boolean> => gitJobs.isHeld(job);
    const ended = await limitGit(() => completeJob(ship, claimed, { plan, isOurs }));
    if ('waits' in ended) await gitJobs.wait(job, { code: 'unreadable', reason: ended.waits }, lease_ms);
    else await gitJobs.finish(job, { ...ended, carried: await limitGit(() => carried(claimed, ended)) });
  }

  /** Where the comments of reviewers are after a rebase. Those that cannot be carried along now are carried by the next run. */
  async function carried(
    { attempt, repos }: ClaimedJob,
    { moved = [] }: JobEnding,
  ): Promise<readonly CarriedComment[]> {
    if (moved.length === 0) return [];
    const sources = new Map(repos.map(({ repo_id, repo_path }) => [repo_id, repo_path]));
    const places = moved.map((repo) => ({ ...repo, source: sources.get(repo.repo_id) ?? '' }));
    const comments = await gitJobs.openComments(attempt);
    return carryComments(needs.attemptFolders, attempt, comments, places).catch((error: unknown) => {
      report(error);
      return [];
    });
  }

  /** Leaves a job whose branches may have moved to the next try, and stores the reason for its callers. */
  async function tryLater({ job }: ClaimedJob, error: unknown): Promise<void> {
    report(error);
    const reason = error instanceof GitError ? error.message : 'See the log of the server.';
    await gitJobs.wait(job, { code: 'git', reason }, lease_ms);
  }

  /** Ends a job that has moved nothing. */
  async function giveUp(claimed: ClaimedJob, error: unknown): Promise<void> {
    report(error);
    await forget(claimed);
    const reason = error instanceof GitError ? error.message : 'See the log of the server.';
    await gitJobs.finish(claimed.job, endsAs('failed', 'git', reason));
  }

  async function run(claimed: ClaimedJob): Promise<void> {
    const sources = [...new Set(claimed.repos.map(({ repo_path }) => repo_path))];
    let isPlanned = claimed.job.plan !== null;
    const onPlanned = (): void => {
      isPlanned = true;
    };
    try {
      await oneAtATime(sources, () => carryOut(claimed, onPlanned));
    } catch (error) {
      if (error instanceof JobLost) return;
      // This worker or another goes on when the lease is over.
      if (isDatabaseError(error)) return report(error);
      await (isPlanned ? tryLater : giveUp)(claimed, error).catch((later: unknown) => {
        if (!(later instanceof JobLost)) report(later);
      });
    }
  }

  function start(claimed: ClaimedJob): Promise<void> {
    const { job } = claimed;
    const done = run(claimed)
      .catch(report)
      .finally(() => active.delete(job.id));
    active.set(job.id, { hold: job, done });
    return done;
  }

  /** Whether a lost job whose branches may have moved is still left to its own machine. */
  async function isLeftTo(job: GitJob, live: readonly Worker[]): Promise<boolean> {
    if (job.host_id === host_id) return false;
    const isHome = live.some((worker) => worker.host_id === job.host_id && worker.id !== job.worker_id);
    // By the store's clock, as leases are: the latest lease was given a moment ago.
    const now = Math.max(0, ...live.map(({ lease_until }) => lease_until)) - lease_ms;
    if (isHome || now - (job.lease_until ?? 0) < HOME_HAS_MS) return true;
    return job.plan === null || !(await ship.isThere(movesOf(job.plan)));
  }

  async function goOn(lost: GitJob, dead: readonly string[], live: readonly Worker[]): Promise<void> {
    if (lost.phase === 'none') return gitJobs.requeue(lost, dead);
    if (await isLeftTo(lost, live)) return;
    const claimed = await gitJobs.takeOver(lost, dead, { worker_id, host_id, lease_ms });
    if (claimed !== null) await start(claimed);
  }

  return {
    take: async (onEnd) => {
      const limit = MAX_GIT_JOBS - active.size;
      if (limit <= 0 || !(await gitJobs.hasWaiting(host_id))) return;
      for (const claimed of await gitJobs.take({ worker_id, host_id, lease_ms, limit }))
        void start(claimed).then(onEnd);
    },
    reap: async () => {
      const dead = await needs.deadWorkers();
      const lost = (await gitJobs.lost(dead)).filter(({ id }) => !active.has(id));
      if (lost.length === 0) return;
      const live = await needs.liveWorkers();
      for (const job of lost) await goOn(job, dead, live).catch(report);
    },
    renew: async () => {
      const holds = [...active.values()].map(({ hold }) => hold);
      if (holds.length > 0) await gitJobs.renew(holds, lease_ms);
    },
    settled: async () => {
      await Promise.all([...active.values()].map(({ done }) => done));
    },
  };
}
