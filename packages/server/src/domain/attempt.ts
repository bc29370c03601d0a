import { z } from 'zod';
import type {
  AgentId,
  AttemptId,
  ProjectId,
  QueuedPromptId,
  RepoId,
  RunId,
  SessionId,
  UserId,
  WorkItemId,
  WorkspaceId,
} from './ids.ts';
import type { StateGroup } from './project.ts';
import type { RunStatus } from './run.ts';
import type { Priority } from './work-item.ts';

/** One try at a work item: a branch, and a folder for each repository, in which agents run one after another. */
export interface Attempt {
  readonly id: AttemptId;
  readonly workspace_id: WorkspaceId;
  readonly project_id: ProjectId;
  readonly work_item_id: WorkItemId;
  readonly branch: string;
  /** The machine that has its folders; null before the first run, and when they were removed. */
  readonly host_id: string | null;
  /**
   * Whether someone wants its folders removed; refused when that would destroy what is nowhere else. While they are being
   * removed no run begins in them.
   */
  readonly removal: 'requested' | 'removing' | 'refused' | null;
  /** How its latest run stands; null before there is one. */
  readonly run_status: RunStatus | null;
  /** JSON of `OutsideFiles`: what its runs left beside the folders of its repositories; null for nothing. */
  readonly outside: string | null;
  readonly created_by_user_id: UserId;
  readonly created_by_agent_id: AgentId | null;
  readonly created_at: number;
  readonly updated_at: number;
}

/** A repository in an attempt. */
export interface AttemptRepo {
  readonly attempt_id: AttemptId;
  readonly repo_id: RepoId;
  readonly target_branch: string;
  /** Where the branch began; null before the first run. */
  readonly base_commit: string | null;
  /** Where it ends, after the latest run. */
  readonly head_commit: string | null;
  /** JSON of `ChangedFile[]`: what the branch changes, after the latest run. */
  readonly files: string | null;
  /** The same as a patch, cut where it is too long to be kept. */
  readonly patch: string | null;
  readonly is_patch_cut: boolean;
  /** Whether its set-up script has run to its end in the folder that there is. */
  readonly is_set_up: boolean;
}

/** A repository in an attempt, with what is known of the repository itself. */
export interface AttemptRepoRow extends AttemptRepo {
  readonly repo_name: string;
  readonly repo_path: string;
  readonly setup_script: string | null;
}

/** Folders of an attempt that was deleted, with what it takes to remove them. */
export interface LeftoverFolders {
  readonly attempt_id: AttemptId;
  /** The machine that has them. */
  readonly host_id: string;
  readonly branch: string;
  /** In the order in which they were linked to the project: by it, folders of repositories with one name are told apart. */
  readonly repos: readonly Pick<AttemptRepoRow, 'repo_name' | 'repo_path' | 'base_commit'>[];
}

export const ChangedFile = z.object({
  path: z.string().describe('The path within the repository.'),
  change: z
    .enum(['added', 'modified', 'deleted', 'renamed'])
    .describe('What became of the file: added, modified, deleted or renamed.'),
  insertions: z.int().nullable().describe('Lines added; null for a file that is not text.'),
  deletions: z.int().nullable().describe('Lines removed; null for a file that is not text.'),
});
export type ChangedFile = z.infer<typeof ChangedFile>;

/** Files in the folder of an attempt that are in none of its repositories. */
export const OutsideFiles = z.object({
  paths: z.array(z.string()).describe('Their paths below the folder of the attempt, at most 10.'),
  total: z.int().describe('How many there are; counted up to 10,000.'),
});
export type OutsideFiles = z.infer<typeof OutsideFiles>;

/** How many of them the answer of a run names. */
export const MAX_CHANGED_FILES = 50;

/** What an agent remembers over several runs. */
export interface Session {
  readonly id: SessionId;
  readonly attempt_id: AttemptId;
  readonly executor: string;
  readonly variant: string | null;
  /** What the agent itself calls it, by which it can be resumed. */
  readonly agent_session_id: string | null;
  readonly created_at: number;
  readonly updated_at: number;
}

const QueuedPromptStatus = z.enum(['queued', 'started', 'cancelled']);

/** A follow-up that waits for the run before it to end. */
export interface QueuedPrompt {
  readonly id: QueuedPromptId;
  readonly session_id: SessionId;
  readonly prompt: string;
  readonly variant: string | null;
  readonly status: z.infer<typeof QueuedPromptStatus>;
  /** The run that it became. */
  readonly execution_id: RunId | null;
  readonly user_id: UserId;
  readonly agent_id: AgentId | null;
  readonly created_at: number;
}

/** A task as the board lists it. */
export interface BoardRow {
  readonly id: WorkItemId;
  readonly project_id: ProjectId;
  readonly title: string;
  readonly state_slug: string;
  readonly state_group: StateGroup;
  readonly priority: Priority;
  readonly open_blockers: number;
  readonly claimed_until: number | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly latest_attempt_id: AttemptId | null;
  readonly latest_branch: string | null;
  readonly latest_session_id: SessionId | null;
  readonly latest_session_executor: string | null;
  readonly has_in_progress_attempt: boolean;
  readonly last_attempt_failed: boolean;
}

/** An attempt as lists show it. */
export type AttemptRow = Attempt & {
  readonly latest_session_id: SessionId | null;
  readonly latest_session_executor: string | null;
};

/** What a run is called that goes on with an attempt. */
export const FOLLOW_UP_NAME = 'Follow-up';

/** How the latest run of an attempt stands while an agent is at work, or about to be. */
export const ACTIVE: readonly RunStatus[] = ['queued', 'running'];

/** How it stands when it ended without having done its work. */
export const FAILED: readonly RunStatus[] = ['failed', 'interrupted'];

export const isActive = (status: RunStatus | null): boolean => status !== null && ACTIVE.includes(status);

export const hasFailed = (status: RunStatus | null): boolean => status !== null && FAILED.includes(status);
