import type { Attempt } from '#domain/attempt';
import type { DueWatch, GitJob, PullRequestWatch } from '#domain/git-job';
import type { GitJobId, WorkspaceId } from '#domain/ids';
import type { Within } from '#domain/reach';
import type { WorkItem } from '#domain/work-item';

type OneAttempt = Pick<Attempt, 'id' | 'workspace_id'>;

/** The read methods about merges, rebases and pull requests: see `Reads`. */
export interface GitJobReads {
  readonly gitJobs: {
    readonly find: (within: Within, id: GitJobId) => Promise<GitJob | null>;
    /** The job that a call has asked for; null when it has asked for none. */
    readonly ofOperation: (workspace: WorkspaceId, operation_id: string) => Promise<GitJob | null>;
    /** The newest first. */
    readonly ofAttempt: (attempt: OneAttempt, limit: number) => Promise<readonly GitJob[]>;
    /** Those of all attempts at a work item that have not ended, the oldest first. */
    readonly openOfItem: (item: Pick<WorkItem, 'id' | 'workspace_id'>) => Promise<readonly GitJob[]>;
    /** For a worker, which serves every workspace: the epoch that it names is its right to the job. */
    readonly findForWorker: (id: GitJobId) => Promise<GitJob | null>;
    /** The queued jobs of this machine, and those of none, oldest first. */
    readonly waiting: (query: { readonly host_id: string; readonly limit: number }) => Promise<readonly GitJob[]>;
    /** The running jobs whose lease is over by the store's clock, or that belong to one of these workers; oldest first. */
    readonly lost: (worker_ids: readonly string[]) => Promise<readonly GitJob[]>;
    /** The attempts of every workspace whose pull requests this machine has to ask for by now, by the store's clock. */
    readonly dueWatches: (query: { readonly host_id: string; readonly limit: number }) => Promise<readonly DueWatch[]>;
  };
}

/** The write methods about merges, rebases and pull requests. */
export interface GitJobWrites {
  readonly gitJobs: GitJobReads['gitJobs'] & {
    readonly insert: (job: GitJob) => Promise<void>;
    /** Writes status, phase, plan, result, machine, worker, epoch, lease and end. */
    readonly update: (job: GitJob) => Promise<void>;
    readonly putWatch: (watch: PullRequestWatch) => Promise<void>;
    readonly dropWatch: (attempt: OneAttempt) => Promise<void>;
  };
}
