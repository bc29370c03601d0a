import { z } from 'zod';
import type { AgentId, AttemptId, GitJobId, ProjectId, QueuedPromptId, RepoId, UserId, WorkspaceId } from './ids.ts';

export const MergeMode = z.enum(['merge', 'squash', 'rebase']);
export type MergeMode = z.infer<typeof MergeMode>;

export type GitJobKind = 'merge' | 'rebase' | 'pull_request';
export type GitJobStatus = 'queued' | 'running' | 'done' | 'conflicts' | 'refused' | 'failed';

/** A merge, a rebase or a pull request of an attempt, carried out by a worker. */
export interface GitJob {
  readonly id: GitJobId;
  /** The call that asked for it: the same call again finds the same job. */
  readonly operation_id: string;
  readonly workspace_id: WorkspaceId;
  readonly project_id: ProjectId;
  readonly attempt_id: AttemptId;
  readonly kind: GitJobKind;
  readonly mode: MergeMode | null;
  /** JSON of the arguments of the call. */
  readonly request: string;
  readonly status: GitJobStatus;
  /** `committing`: refs may have moved, so the job can only go forward. */
  readonly phase: 'none' | 'committing';
  /** JSON of the moves of refs that the worker prepared. */
  readonly plan: string | null;
  /** JSON of the answer. */
  readonly result: string | null;
  readonly host_id: string | null;
  readonly worker_id: string | null;
  /** Raised whenever another worker takes the job. Writes of an earlier worker are refused. */
  readonly epoch: number;
  readonly lease_until: number | null;
  readonly user_id: UserId;
  readonly agent_id: AgentId | null;
  readonly created_at: number;
  readonly ended_at: number | null;
}

/** How many of its latest jobs are read of an attempt. */
export const MAX_JOBS = 20;

/** A job in words: merge, rebase or pull request. */
export const jobName = ({ kind }: Pick<GitJob, 'kind'>): string => kind.replace('_', ' ');

/** The state of a git job that no worker has taken. */
export const NOT_TAKEN = {
  status: 'queued',
  phase: 'none',
  plan: null,
  result: null,
  worker_id: null,
  epoch: 0,
  lease_until: null,
  ended_at: null,
} as const satisfies Partial<GitJob>;

/** The arguments of a call that asked for a git job; those that do not belong to its kind are absent. */
export interface GitJobRequest {
  /** The message of the merge, instead of the usual one. */
  readonly message?: string | undefined;
  /** Whether the agent is asked to resolve conflicts. */
  readonly resolve?: boolean | undefined;
  readonly title?: string | undefined;
  readonly body?: string | undefined;
  readonly draft?: boolean | undefined;
}

export interface JobCommit {
  readonly repo_id: RepoId;
  readonly commit: string;
}

export interface JobConflict {
  readonly repo_id: RepoId;
  readonly path: string;
}

/** How a git job ended. */
export interface GitJobResult {
  readonly commits?: readonly JobCommit[];
  readonly conflicts?: readonly JobConflict[];
  /** Whether the conflicts are on the branch of the attempt, with their markers, for its agent to resolve. */
  readonly is_marked?: boolean;
  readonly follow_up_id?: QueuedPromptId;
  /** Why it was refused or failed: a word for programs and a sentence for people. */
  readonly code?: string;
  readonly reason?: string;
  readonly notes?: readonly string[];
  readonly pull_requests?: readonly PullRequest[];
}

/** More conflicts than a person reads; the answer lists no more. */
export const MAX_CONFLICTS = 200;

/** A pull or merge request of one repository. An attempt keeps a list of them. */
export const PullRequest = z.object({
  url: z.string().describe('Its address.'),
  number: z.int().describe('Its number at the forge.'),
  forge: z.enum(['gh', 'glab']).describe('The program that opened it: gh or glab.'),
  repo_id: z.string().brand<'RepoId'>().describe('The repository.'),
  state: z.enum(['draft', 'open', 'merged', 'closed']).describe('draft, open, merged or closed.'),
  checked_at: z.number().describe('When its state was last read.'),
  pushed: z.string().optional().describe('The commit that was pushed last.'),
});
export interface PullRequest extends Omit<z.infer<typeof PullRequest>, 'repo_id'> {
  readonly repo_id: RepoId;
}

/** A watch with the place of its attempt. */
export interface DueWatch extends PullRequestWatch, Pick<GitJob, 'workspace_id' | 'project_id'> {}

/** When a worker asks the forge for the state of an attempt's pull requests. */
export interface PullRequestWatch {
  readonly attempt_id: AttemptId;
  readonly host_id: string;
  readonly next_at: number;
}
