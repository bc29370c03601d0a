import { say } from '#advice';
import { type AttemptRow, isActive } from '#domain/attempt';
import { layoutFrom } from '#domain/blocks';
import type { Verdict } from '#domain/check';
import {
  type GitJob,
  type GitJobKind,
  type GitJobRequest,
  type GitJobResult,
  jobName,
  MAX_JOBS,
  type MergeMode,
  NOT_TAKEN,
} from '#domain/git-job';
import { isWaiting } from '#domain/git-job-machine';
import type { AttemptId } from '#domain/ids';
import { plainText } from '#domain/plain-text';
import { ErrandError } from '#errors';
import { emitGitJob } from '#services/attempts/attempt-events';
import type { Ports } from '#services/ports';
import { resultOf } from '#services/ship/claimed-job';
import { mayEnter } from '#services/tasker/completion';
import { waitFor } from '#services/wait-for';
import type { WaitingPlaces } from '#services/waiting-places';
import type { TrackerWork, WriteWork } from '#services/work';
import type { Transaction } from '#store/store';
import { runInProgress } from './follow-ups.ts';
import { attemptOf } from './lookup.ts';
import { mustGoOn } from './place-follow-up.ts';

export interface JobOrder extends GitJobRequest {
  readonly attempt_id: AttemptId;
  readonly mode?: MergeMode | undefined;
}

export interface Shipped extends GitJobResult {
  readonly status: 'done' | 'conflicts' | 'refused';
  /** That of the attempt, as its checks say now. */
  readonly verdict: Verdict | null;
}

/** A call waits for its job no longer than this. A gateway takes a call that runs for two minutes for dead. */
const MAX_WAIT_MS = 100_000;
const RETRY_MS = 1_000;
/** A job that cannot go on is tried again every few seconds. */
const STUCK_RETRY_MS = 15_000;

const noWorker = (): ErrandError =>
  new ErrandError('no_worker', 'No worker runs on the machine that has the repositories of this attempt.', {
    hint: [say`${{ command: 'serve' }} starts one there, and so does ${{ command: 'worker' }}.`],
    retry_after_ms: RETRY_MS,
  });

const inProgress = (job: GitJob): ErrandError =>
  new ErrandError('merge_in_progress', `A ${jobName(job)} of this attempt is under way.`, {
    hint: 'Repeat the call in a moment: it waits for the same one.',
    details: { job_id: job.id },
    retry_after_ms: RETRY_MS,
  });

const cannotGoOn = (job: GitJob): ErrandError =>
  new ErrandError('merge_in_progress', `A ${jobName(job)} of this attempt has begun. ${resultOf(job).reason ?? ''}`, {
    hint: say`Mend that, and it goes on. ${{ call: 'stop_attempt' }} to give it up where it stands.`,
    details: { job_id: job.id },
    retry_after_ms: STUCK_RETRY_MS,
  });

/** Refuses a merge while one of another attempt at the task goes on: one of them is merged, and the others are archived. */
async function mustBeOnly(tx: Transaction, { id, workspace_id, work_item_id, project_id }: AttemptRow): Promise<void> {
  const jobs = await tx.gitJobs.openOfItem({ id: work_item_id, workspace_id });
  const other = jobs.find((job) => job.kind === 'merge' && job.attempt_id !== id);
  if (other === undefined) return;
  const row = await tx.attempts.find({ workspace_id, project_ids: [project_id] }, other.attempt_id);
  const name = row?.key ?? other.attempt_id;
  throw new ErrandError('merge_in_progress', `A merge of ${name}, another attempt at this task, is under way.`, {
    hint: 'If it is merged, this attempt is archived. Repeat the call when it has ended.',
    details: { job_id: other.id, attempt_id: other.attempt_id },
    retry_after_ms: RETRY_MS,
  });
}

const isAlive = ({ ended_at }: GitJob): boolean => ended_at === null;

/** Refuses a merge to a caller who may not complete the task, as a move of its card would be. */
async function mayComplete(work: WriteWork, attempt: AttemptRow): Promise<void> {
  const { tx, within } = work;
  const project = await tx.projects.find(attempt.workspace_id, attempt.project_id);
  const item = await tx.workItems.find(within, attempt.work_item_id);
  if (project === null || item === null) return;
  const layout = layoutFrom(item.detail_layout);
  await mayEnter(work, project, { item, group: 'completed', layout, verdict: attempt.verdict });
}

/** Whether a live worker can carry out git commands in the repositories of the attempt. */
async function hasWorker(tx: Transaction, { host_id }: AttemptRow): Promise<boolean> {
  const live = await tx.workers.live();
  return live.some((worker) => host_id === null || worker.host_id === host_id);
}

/** Merges, rebases and pull requests of attempts. A worker carries them out, and the call waits for that. */
export function createGitJobCalls({ ids, watch, pause }: Ports, places: WaitingPlaces) {
  async function insert(
    { tx, caller }: WriteWork,
    attempt: AttemptRow,
    asked: Pick<GitJob, 'operation_id' | 'kind' | 'mode' | 'request'>,
  ): Promise<GitJob> {
    const job: GitJob = {
      id: ids(),
      ...asked,
      workspace_id: attempt.workspace_id,
      project_id: attempt.project_id,
      attempt_id: attempt.id,
      ...NOT_TAKEN,
      host_id: attempt.host_id,
      user_id: caller.user_id,
      agent_id: caller.agent_id,
      created_at: tx.now,
    };
    await tx.gitJobs.insert(job);
    await emitGitJob(tx, attempt, job);
    return job;
  }

  /** The job of this call: the one that it asked for before, the one that is under way with the same request, or a new one. */
  async function jobFor(
    work: WriteWork,
    asked: Pick<GitJob, 'operation_id' | 'kind'>,
    { attempt_id, mode, ...request }: JobOrder,
  ): Promise<
    GitJob | { readonly attempt: AttemptRow; readonly result: GitJobResult; readonly status: 'done' | 'refused' }
  > {
    const { tx } = work;
    const { kind } = asked;
    const attempt = await attemptOf(work, attempt_id);
    const before = await tx.gitJobs.ofOperation(attempt.workspace_id, asked.operation_id);
    if (before !== null) return before;
    const jobs = await tx.gitJobs.ofAttempt(attempt, MAX_JOBS);
    if (attempt.merged_at !== null && kind === 'merge') {
      const done = jobs.find((job) => job.kind === 'merge' && job.status === 'done');
      return { attempt, status: 'done', result: done === undefined ? {} : resultOf(done) };
    }
    mustGoOn(attempt);
    if (kind === 'merge') await mayComplete(work, attempt);
    const wanted = { mode: mode ?? null, request: JSON.stringify(request) };
    const live = jobs.find(isAlive);
    if (live !== undefined) {
      const isSame = live.kind === kind && live.mode === wanted.mode && live.request === wanted.request;
      if (isSame) return live;
      throw inProgress(live);
    }
    if (kind === 'merge') await mustBeOnly(tx, attempt);
    if (isActive(attempt.run_status))
      throw runInProgress(attempt, say`${{ call: 'stop_attempt' }} first, or wait for its end.`);
    if ((await tx.attempts.repos(attempt)).every(({ base_commit }) => base_commit === null)) {
      const reason = 'The attempt has changed nothing: no agent has worked on it yet.';
      return { attempt, status: 'refused', result: { code: 'nothing', reason } };
    }
    if (!(await hasWorker(tx, attempt))) throw noWorker();
    return insert(work, attempt, { ...asked, ...wanted });
  }

  /** The job when it has ended; null before that. Throws when it was deleted with its attempt. */
  async function endedJob({ tx, within }: TrackerWork, { id, attempt_id }: GitJob): Promise<GitJob | null> {
    const job = await tx.gitJobs.find(within, id);
    if (job === null) throw new ErrandError('not_found', `Attempt ${attempt_id} was deleted meanwhile.`);
    if (isWaiting(job)) throw cannotGoOn(job);
    return isAlive(job) ? null : job;
  }

  async function answerOf(work: TrackerWork, job: GitJob): Promise<Shipped> {
    const result = resultOf(job);
    const { status } = job;
    if (status === 'queued' || status === 'running') throw inProgress(job);
    if (status === 'failed') {
      const { code = 'failed', reason = 'See the log of the server.' } = result;
      throw new ErrandError('conflict', `The ${jobName(job)} failed. ${reason}`, {
        details: { code },
        ...(job.phase === 'none' && { hint: 'Nothing was changed. Make the call again.' }),
      });
    }
    const attempt = await work.tx.attempts.find(work.within, job.attempt_id);
    return { ...result, status, verdict: attempt?.verdict ?? null };
  }

  /** Asks for a job, and waits for its end. */
  const ask = (work: TrackerWork, kind: GitJobKind, order: JobOrder): Promise<Shipped> =>
    places.within(work.caller, () => askAndWait(work, kind, order));

  async function askAndWait(work: TrackerWork, kind: GitJobKind, order: JobOrder): Promise<Shipped> {
    const { operation_id, within } = work;
    // `within` is a getter of its class: a spread leaves it out.
    const job = await work.transaction((tx) => jobFor({ ...work, within, tx }, { operation_id, kind }, order));
    if ('attempt' in job) return { ...job.result, status: job.status, verdict: job.attempt.verdict };
    const ended = await waitFor({ watch, pause }, () => endedJob(work, job), MAX_WAIT_MS, work.signal);
    if (ended === null) throw inProgress(job);
    work.changed(null, { job_id: ended.id, status: ended.status, result: ended.result });
    return answerOf(work, ended);
  }

  return {
    merge: (work: TrackerWork, { message, ...order }: JobOrder): Promise<Shipped> =>
      ask(work, 'merge', { ...order, ...(message !== undefined && { message: plainText('message', message) }) }),
    rebase: (work: TrackerWork, order: JobOrder): Promise<Shipped> => ask(work, 'rebase', order),
    openPullRequest: (work: TrackerWork, order: JobOrder): Promise<Shipped> => ask(work, 'pull_request', order),
  };
}
