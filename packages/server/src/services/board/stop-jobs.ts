import type { Attempt } from '#domain/attempt';
import { type GitJob, type GitJobResult, MAX_JOBS } from '#domain/git-job';
import { isWaiting } from '#domain/git-job-machine';
import type { Ports } from '#services/ports';
import { resultOf } from '#services/ship/claimed-job';
import { endGitJob } from '#services/ship/end-job';
import type { Transaction } from '#store/store';

const STOPPED: GitJobResult = { code: 'stopped', reason: 'It was stopped before it began.' };

const hostGone = ({ phase }: GitJob): GitJobResult => ({
  code: 'host_gone',
  reason:
    phase === 'committing'
      ? 'The machine that carried it out is gone. Look at the target branches of its repositories: some may have moved.'
      : 'The machine that carried it out is gone.',
});

/** Of a job that cannot go on: its own words say where each branch stands. */
const givenUp = (job: GitJob): GitJobResult => ({
  code: 'given_up',
  reason: `It was given up where it stands. ${resultOf(job).reason ?? ''}`.trim(),
});

/** Why a job of this attempt can be ended by a caller; null while a worker carries it out or will go on with it. */
async function endOf(tx: Transaction, job: GitJob): Promise<GitJobResult | null> {
  if (job.status === 'queued') return STOPPED;
  if (isWaiting(job)) return givenUp(job);
  const isLost = (job.lease_until ?? 0) <= tx.now;
  const isHome = (await tx.workers.live()).some(({ host_id }) => host_id === job.host_id);
  return isLost && !isHome ? hostGone(job) : null;
}

/** Ends the git jobs of an attempt that wait, that cannot go on, or whose machine is gone. One that goes on is left alone. */
export async function stopJobs(tx: Transaction, ids: Ports['ids'], attempt: Attempt): Promise<void> {
  for (const job of await tx.gitJobs.ofAttempt(attempt, MAX_JOBS)) {
    const result = job.ended_at === null ? await endOf(tx, job) : null;
    if (result !== null) await endGitJob({ tx, ids }, { job, attempt }, { status: 'failed', result });
  }
}
