import type { Attempt, AttemptRepoRow } from '#domain/attempt';
import type { GitJob, GitJobRequest, GitJobResult, MergeMode } from '#domain/git-job';
import { type MergeFacts, mergeMessage } from '#domain/merge-message';
import type { Project } from '#domain/project';
import { LOCAL_OWNER } from '#services/local-owner';
import type { Transaction } from '#store/store';

/** A git job that a worker has taken, with everything that it needs to carry it out. */
export interface ClaimedJob {
  readonly job: GitJob;
  readonly attempt: Attempt;
  /** Those in which the attempt has begun. */
  readonly repos: readonly (AttemptRepoRow & { readonly base_commit: string })[];
  readonly mode: MergeMode;
  readonly request: GitJobRequest;
  /** The message of the commit that the job makes. */
  readonly message: string;
  /** The name of the person who asked for it; null for the owner of the machine. */
  readonly author: string | null;
  /** Files that were handed to an agent with conflict markers. */
  readonly marker_paths: readonly string[];
  /** Whether the branch goes when the attempt is merged. */
  readonly delete_branch: boolean;
  /** What the request is called when the caller gave no title. */
  readonly title: string;
  readonly summary: string | null;
}

/** How many earlier jobs are searched for files with markers. */
const MAX_LOOKED_AT = 50;

async function authorOf(tx: Transaction, { workspace_id, user_id }: GitJob): Promise<string | null> {
  if (user_id === (await tx.settings.get(LOCAL_OWNER))) return null;
  return (await tx.users.find(workspace_id, user_id))?.name ?? null;
}

/** Safe: only this folder writes results. */
export const resultOf = ({ result }: GitJob): GitJobResult =>
  result === null ? {} : (JSON.parse(result) as GitJobResult);

async function markerPaths(tx: Transaction, attempt: Attempt): Promise<readonly string[]> {
  const results = (await tx.gitJobs.ofAttempt(attempt, MAX_LOOKED_AT)).map(resultOf);
  const marked = results.filter(({ is_marked }) => is_marked === true);
  return [...new Set(marked.flatMap(({ conflicts = [] }) => conflicts.map(({ path }) => path)))];
}

const isBegun = (repo: AttemptRepoRow): repo is ClaimedJob['repos'][number] => repo.base_commit !== null;

async function factsOf(tx: Transaction, attempt: Attempt): Promise<MergeFacts> {
  const { workspace_id, project_id, work_item_id, id, branch } = attempt;
  const within = { workspace_id, project_ids: [project_id] };
  const task = await tx.board.task(within, work_item_id);
  const row = await tx.attempts.find(within, id);
  const sessions = await tx.attempts.sessions(attempt);
  const executors = [...new Set(sessions.map(({ executor }) => executor))];
  const [run] = await tx.attempts.runs(attempt, 1);
  const targets = (await tx.attempts.repos(attempt)).map(({ target_branch }) => target_branch);
  return {
    key: task?.key ?? null,
    title: task?.title ?? branch,
    attempt: row?.key ?? id,
    executor: executors.join(', '),
    branch,
    target: [...new Set(targets)].join(', '),
    summary: run?.summary ?? null,
    co_authors: executors.map((executor) => `${executor} <${executor}@errand.localhost>`),
  };
}

export async function withNeeds(
  tx: Transaction,
  job: GitJob,
  { attempt, project }: { readonly attempt: Attempt; readonly project: Project },
): Promise<ClaimedJob> {
  const mode = job.mode ?? project.merge_mode;
  // Safe: written by services/board/git-jobs.ts.
  const request = JSON.parse(job.request) as GitJobRequest;
  const { co_authors = [], ...facts } = await factsOf(tx, attempt);
  const named = mode === 'squash' ? { ...facts, co_authors } : facts;
  return {
    job,
    attempt,
    repos: (await tx.attempts.repos(attempt)).filter(isBegun),
    mode,
    request,
    message: request.message ?? mergeMessage(mode, named, project.merge_message),
    author: await authorOf(tx, job),
    marker_paths: await markerPaths(tx, attempt),
    delete_branch: project.delete_branch,
    title: facts.key === null ? facts.title : `${facts.title} (${facts.key})`,
    summary: facts.summary,
  };
}
