import { z } from 'zod';
import type { AgentId, AttemptId, GitJobId, ProjectId, RepoId, UserId, WorkspaceId } from './ids.ts';

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

/** A pull or merge request of one repository. An attempt keeps a list of them. */
export const PullRequest = z.object({
  url: z.string().describe('Its address.'),
  number: z.int().describe('Its number at the forge.'),
  forge: z.enum(['gh', 'glab']).describe('The program that opened it: gh or glab.'),
  repo_id: z.string().brand<'RepoId'>().describe('The repository.'),
  state: z.enum(['draft', 'open', 'merged', 'closed']).describe('draft, open, merged or closed.'),
  checked_at: z.number().describe('When its state was last read.'),
});
export interface PullRequest extends Omit<z.infer<typeof PullRequest>, 'repo_id'> {
  readonly repo_id: RepoId;
}

/** When a worker asks the forge for the state of an attempt's pull requests. */
export interface PullRequestWatch {
  readonly attempt_id: AttemptId;
  readonly host_id: string;
  readonly next_at: number;
}
