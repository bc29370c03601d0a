import { type Attempt, isActive } from '#domain/attempt';
import type { GitJob, GitJobResult } from '#domain/git-job';
import { advanceGitJob } from '#domain/git-job-machine';
import type { ReviewComment } from '#domain/review';
import { emitGitJob } from '#services/attempts/attempt-events';
import type { Ports } from '#services/ports';
import { openComments } from '#services/runs/carried-comments';
import type { Store, Transaction } from '#store/store';
import { type ClaimedJob, withNeeds } from './claimed-job.ts';
import { endGitJob, type JobEnding } from './end-job.ts';
import { applyHeld, findHeldJob, type JobHold, JobLost } from './held-job.ts';
import { mayShip } from './may-ship.ts';

interface TakeRequest {
  readonly worker_id: string;
  readonly host_id: string;
  readonly lease_ms: number;
  readonly limit: number;
}

/** The attempt of a job, in any project: a worker works for all of them. */
async function surroundingsOf(tx: Transaction, { workspace_id, project_id, attempt_id }: GitJob) {
  const attempt = await tx.attempts.find({ workspace_id, project_ids: [project_id] }, attempt_id);
  const project = await tx.projects.find(workspace_id, project_id);
  return attempt === null || project === null ? null : { attempt, project };
}

/** Why nothing of an attempt is merged or rebased any more; null while it goes on. */
function endOf({ archived_at, merged_at }: Attempt): GitJobResult | null {
  if (archived_at !== null) return { code: 'archived', reason: 'The attempt is archived.' };
  return merged_at === null ? null : { code: 'merged', reason: 'The attempt is merged already.' };
}

/** Why a job that has waited must not be carried out any more; null when it can be. */
async function obstacleTo(tx: Transaction, job: GitJob, attempt: Attempt): Promise<GitJobResult | null> {
  if (!(await mayShip(tx, job)))
    return { code: 'not_allowed', reason: 'The person or agent who asked for it may no longer do that here.' };
  if (isActive(attempt.run_status)) return { code: 'run_in_progress', reason: 'A run of the attempt has begun.' };
  return endOf(attempt);
}

/** Merges, rebases and pull requests, for workers. Each call that changes a job is one event of domain/git-job-machine.ts. */
export function createGitJobs(store: Pick<Store, 'reads' | 'transaction'>, ids: Ports['ids']) {
  async function take(tx: Transaction, job: GitJob, request: TakeRequest): Promise<ClaimedJob | null> {
    const around = await surroundingsOf(tx, job);
    if (around === null) return null;
    const obstacle = await obstacleTo(tx, job, around.attempt);
    if (obstacle !== null) {
      await endGitJob({ tx, ids }, { job, ...around }, { status: 'refused', result: obstacle });
      return null;
    }
    const { worker_id, host_id, lease_ms } = request;
    const event = { type: 'take', worker_id, host_id, lease_until: tx.now + lease_ms } as const;
    const taken = advanceGitJob(job, event, tx.now);
    if (taken === null) throw new Error(`Git job ${job.id} waits for no worker.`);
    await tx.gitJobs.update(taken);
    await emitGitJob(tx, around.attempt, taken);
    return withNeeds(tx, taken, around);
  }

  /** Finds a job that a worker has lost, as long as no other worker was faster. */
  const stillLost = async (tx: Transaction, lost: GitJob, dead_workers: readonly string[]): Promise<GitJob | null> =>
    (await tx.gitJobs.lost(dead_workers)).find(({ id, epoch }) => id === lost.id && epoch === lost.epoch) ?? null;

  return {
    /** Whether a job may wait for this worker. A read: a claim would make every writer wait. */
    hasWaiting: async (host_id: string): Promise<boolean> =>
      (await store.reads.gitJobs.waiting({ host_id, limit: 1 })).length > 0,

    /** Takes the oldest jobs that wait for this machine. */
    take: (request: TakeRequest): Promise<readonly ClaimedJob[]> =>
      store.transaction(async (tx) => {
        const taken: ClaimedJob[] = [];
        for (const job of await tx.gitJobs.waiting(request)) {
          const claimed = await take(tx, job, request);
          if (claimed !== null) taken.push(claimed);
        }
        return taken;
      }),

    /** Whether the worker still holds the job: asked before it does something that no transaction can undo. */
    isHeld: async (hold: JobHold): Promise<boolean> => (await findHeldJob(store.reads, hold)) !== null,

    /** Renews the leases of these jobs. Those that are held by another are left alone. */
    renew: (holds: readonly JobHold[], lease_ms: number): Promise<void> =>
      store.transaction(async (tx) => {
        for (const hold of holds) {
          const job = await findHeldJob(tx, hold);
          const renewed = job && advanceGitJob(job, { type: 'renew', lease_until: tx.now + lease_ms }, tx.now);
          if (renewed !== null) await tx.gitJobs.update(renewed);
        }
      }),

    /** Stores the plan, before the first branch moves. False when the job is refused instead: its attempt is over by now. */
    commit: (hold: JobHold, plan: string): Promise<boolean> =>
      store.transaction(async (tx) => {
        const job = await findHeldJob(tx, hold);
        const around = job && (await surroundingsOf(tx, job));
        const obstacle = around && endOf(around.attempt);
        if (job !== null && around !== null && obstacle !== null) {
          await endGitJob({ tx, ids }, { job, ...around }, { status: 'refused', result: obstacle });
          return false;
        }
        await applyHeld(tx, hold, { type: 'commit', plan });
        return true;
      }),

    /** Stores why a job cannot go on. When `wait_ms` is over the job counts as lost and is tried again. */
    wait: (hold: JobHold, why: GitJobResult, wait_ms: number): Promise<void> =>
      store.transaction(async (tx) => {
        const before = await findHeldJob(tx, hold);
        const event = { type: 'wait', result: JSON.stringify(why), lease_until: tx.now + wait_ms } as const;
        const job = await applyHeld(tx, hold, event);
        const around = await surroundingsOf(tx, job);
        if (around !== null && before?.result !== job.result) await emitGitJob(tx, around.attempt, job);
      }),

    /** The comments on the changes of an attempt that are not resolved: a rebase moves their lines. */
    openComments: (attempt: Attempt): Promise<readonly ReviewComment[]> => openComments(store.reads, attempt),

    /** Ends a job for the worker that holds it. Rejects with `JobLost` for any other. */
    finish: (hold: JobHold, ending: JobEnding): Promise<void> =>
      store.transaction(async (tx) => {
        const job = await findHeldJob(tx, hold);
        const around = job && (await surroundingsOf(tx, job));
        // The attempt was deleted meanwhile, and the job with it.
        if (job === null || around === null) throw new JobLost(hold.id);
        await endGitJob({ tx, ids }, { job, ...around }, ending);
      }),

    /** Jobs of these workers, and jobs whose lease is over. */
    lost: (dead_workers: readonly string[]): Promise<readonly GitJob[]> => store.reads.gitJobs.lost(dead_workers),

    /** Gives a lost job that has moved nothing back to the queue. */
    requeue: (lost: GitJob, dead_workers: readonly string[]): Promise<void> =>
      store.transaction(async (tx) => {
        const job = await stillLost(tx, lost, dead_workers);
        const after = job && advanceGitJob(job, { type: 'requeue' }, tx.now);
        if (after !== null) await tx.gitJobs.update(after);
      }),

    /** Takes a lost job over whose branches may have moved. Null when its worker is back, or another worker was faster. */
    takeOver: (
      lost: GitJob,
      dead_workers: readonly string[],
      { worker_id, host_id, lease_ms }: Omit<TakeRequest, 'limit'>,
    ): Promise<ClaimedJob | null> =>
      store.transaction(async (tx) => {
        const job = await stillLost(tx, lost, dead_workers);
        const around = job && (await surroundingsOf(tx, job));
        if (job === null || around === null) return null;
        const event = { type: 'take_over', worker_id, host_id, lease_until: tx.now + lease_ms } as const;
        const after = advanceGitJob(job, event, tx.now);
        if (after === null) return null;
        await tx.gitJobs.update(after);
        return withNeeds(tx, after, around);
      }),
  };
}

export type GitJobs = ReturnType<typeof createGitJobs>;
