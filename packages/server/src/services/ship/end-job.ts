import type { ToolName } from '#advice';
import type { Attempt, AttemptRepo } from '#domain/attempt';
import type { GitJob, GitJobKind, GitJobResult, GitJobStatus, JobConflict, PullRequest } from '#domain/git-job';
import { advanceGitJob } from '#domain/git-job-machine';
import type { QueuedPromptId } from '#domain/ids';
import { ErrandError, isDatabaseError } from '#errors';
import { emitAttempt, emitGitJob } from '#services/attempts/attempt-events';
import { placeFollowUp } from '#services/board/place-follow-up';
import type { Ports } from '#services/ports';
import { type CarriedComment, writeCarried } from '#services/runs/carried-comments';
import { addEntry } from '#services/runs/feed';
import { mayRun } from '#services/runs/may-run';
import type { Transaction } from '#store/store';
import { JobLost } from './held-job.ts';
import { FIRST_LOOK_MS, requestsOf } from './request-watches.ts';
import { completeShipped, recordFor } from './shipped.ts';

/** A repository of an attempt after its branch was moved. */
export type MovedRepo = Pick<
  AttemptRepo,
  'repo_id' | 'base_commit' | 'head_commit' | 'commits' | 'files' | 'patch' | 'is_patch_cut'
>;

export interface JobEnding {
  readonly status: Exclude<GitJobStatus, 'queued' | 'running'>;
  readonly result: GitJobResult;
  /** The repositories whose branch of the attempt was moved. */
  readonly moved?: readonly MovedRepo[];
  /** Where the comments of reviewers are in the commits that it was moved to. */
  readonly carried?: readonly CarriedComment[];
}

interface EndWork {
  readonly tx: Transaction;
  readonly ids: Ports['ids'];
}

interface EndedJob {
  readonly job: GitJob;
  readonly attempt: Attempt;
}

/** How long the list of files in the words to the agent may be. */
const MAX_LISTED = 200;

/** The names of the conflicting files, each with its repository where there are several. */
async function listed(tx: Transaction, attempt: Attempt, conflicts: readonly JobConflict[]): Promise<string> {
  const names = new Map((await tx.attempts.repos(attempt)).map(({ repo_id, repo_name }) => [repo_id, repo_name]));
  const lines = conflicts
    .slice(0, MAX_LISTED)
    .map(({ repo_id, path }) => (names.size === 1 ? `- ${path}` : `- ${names.get(repo_id) ?? repo_id}/${path}`));
  const more = conflicts.length > MAX_LISTED ? [`- and ${conflicts.length - MAX_LISTED} more`] : [];
  return [...lines, ...more].join('\n');
}

const resolvePrompt = (files: string): string =>
  `The target branch has changed, and your work conflicts with it. Both versions are in these files now, between conflict markers (lines that begin with <<<<<<<, ======= and >>>>>>>):

${files}

Resolve every conflict so that what both sides meant is kept, remove all markers, and see that the task is still done. Do not merge or rebase anything yourself.`;

/** Asks the agent of the attempt to resolve conflicts whose markers are on its branch. Null when it cannot be asked. */
async function askToResolve(
  { tx, ids }: EndWork,
  { job, attempt }: EndedJob,
  conflicts: readonly JobConflict[],
): Promise<QueuedPromptId | null> {
  const follow_up = {
    attempt,
    prompt: resolvePrompt(await listed(tx, attempt, conflicts)),
    name: 'Resolve conflicts',
    asker: job,
    may_run: await mayRun(tx, attempt, job),
  };
  try {
    return (await placeFollowUp(tx, ids, follow_up)).queued_id;
  } catch (error) {
    // Too many follow-ups wait already. The branches have moved, so the job must end.
    if (error instanceof ErrandError && !isDatabaseError(error)) return null;
    throw error;
  }
}

/** Writes that the branch of the attempt has other commits now: its checks are outdated. */
async function writeMoved(tx: Transaction, attempt: Attempt, moved: readonly MovedRepo[]): Promise<Attempt> {
  const repos = await tx.attempts.repos(attempt);
  for (const repo of repos) {
    const after = moved.find(({ repo_id }) => repo_id === repo.repo_id);
    if (after !== undefined) await tx.attempts.updateRepo({ ...repo, ...after });
  }
  const changed: Attempt = { ...attempt, verdict: null, verdict_at: null, updated_at: tx.now };
  await tx.attempts.update(changed);
  await emitAttempt(tx, 'updated', changed);
  return changed;
}

/** Keeps the addresses of requests, and has their state asked for. */
async function writeRequests(
  tx: Transaction,
  { job, attempt }: EndedJob,
  opened: readonly PullRequest[],
): Promise<void> {
  const kept = requestsOf(attempt).filter(({ repo_id }) => opened.every((request) => request.repo_id !== repo_id));
  const after: Attempt = { ...attempt, pull_request: JSON.stringify([...kept, ...opened]), updated_at: tx.now };
  await tx.attempts.update(after);
  await emitAttempt(tx, 'updated', after);
  const host_id = job.host_id ?? attempt.host_id;
  if (host_id !== null) await tx.gitJobs.putWatch({ attempt_id: attempt.id, host_id, next_at: tx.now + FIRST_LOOK_MS });
  const [run] = await tx.attempts.runs(attempt, 1);
  const text = `Pull request: ${opened.map(({ url }) => url).join(' ')}`;
  if (run !== undefined) await addEntry({ tx, caller: job }, run, { kind: 'status', text });
}

/** The tool that asks for a job of each kind. */
const TOOLS: Readonly<Record<GitJobKind, ToolName>> = {
  merge: 'merge_attempt',
  rebase: 'rebase_attempt',
  pull_request: 'open_pull_request',
};

/** Ends a git job, with everything that follows from it. */
export async function endGitJob(work: EndWork, ended: EndedJob, ending: JobEnding): Promise<void> {
  const { tx, ids } = work;
  const { job } = ended;
  const { status, result, moved = [], carried = [] } = ending;
  const attempt = moved.length === 0 ? ended.attempt : await writeMoved(tx, ended.attempt, moved);
  await writeCarried(tx, attempt, carried);
  const { conflicts = [], commits = [] } = result;
  const follow_up_id = result.is_marked ? await askToResolve(work, { job, attempt }, conflicts) : null;
  const written = JSON.stringify({ ...result, ...(follow_up_id !== null && { follow_up_id }) });
  const after = advanceGitJob(job, { type: 'end', status, result: written }, tx.now);
  if (after === null) throw new JobLost(job.id);
  await tx.gitJobs.update(after);
  await emitGitJob(tx, attempt, after);
  const { pull_requests = [] } = result;
  if (pull_requests.length > 0) await writeRequests(tx, { job, attempt }, pull_requests);
  if (status !== 'done') return;
  if (job.kind === 'merge') await completeShipped(tx, ids, { attempt, actor: job, commits });
  recordFor(tx, job, { action: `${TOOLS[job.kind]}.done`, attempt, correlation_id: job.id });
}
