import type { GitJob } from '#domain/git-job';
import { advanceGitJob, type GitJobEvent } from '#domain/git-job-machine';
import type { GitJobId } from '#domain/ids';
import type { Reads, Transaction } from '#store/store';

/** The hold of a worker on a git job: it ends when the epoch of the job is another. */
export type JobHold = Pick<GitJob, 'id' | 'epoch'>;

/** Another worker holds the job, or it has ended: this worker may write nothing more for it. */
export class JobLost extends Error {
  override readonly name = 'JobLost';

  constructor(id: GitJobId) {
    super(`Git job ${id} is not ours any more.`);
  }
}

/** The job, when the worker still holds it; otherwise null. */
export async function findHeldJob({ gitJobs }: Pick<Reads, 'gitJobs'>, { id, epoch }: JobHold): Promise<GitJob | null> {
  const job = await gitJobs.findForWorker(id);
  return job === null || job.epoch !== epoch || job.status !== 'running' ? null : job;
}

/** Writes an event of a job that the worker still holds. Rejects with `JobLost` when it does not. */
export async function applyHeld(tx: Transaction, hold: JobHold, event: GitJobEvent): Promise<GitJob> {
  const job = await findHeldJob(tx, hold);
  const after = job && advanceGitJob(job, event, tx.now);
  if (after === null) throw new JobLost(hold.id);
  await tx.gitJobs.update(after);
  return after;
}
