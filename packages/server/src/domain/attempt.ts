import { z } from 'zod';
import type { AttemptState } from './attempt-state.ts';
import type { Verdict } from './check.ts';
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
   * Whether a person asked to remove its folders; `refused` when that would destroy the only copy of some work. While they are being
   * removed, no run starts in them.
   */
  readonly removal: 'requested' | 'removing' | 'refused' | null;
  /** The status of its latest run; null before the first. */
  readonly run_status: RunStatus | null;
  /** JSON of `OutsideFiles`: files that its runs left outside of its repositories' folders; null for none. */
  readonly outside: string | null;
  /** Its number among the attempts of the task, given by the store; null when an older server made the attempt. */
  readonly number: number | null;
  /** The result of the checks of its latest run; null when none ran, or when the work has changed since. */
  readonly verdict: Verdict | null;
  readonly verdict_at: number | null;
  /** How many times red checks sent it back to its agent. */
  readonly red_retries: number;
  /** The same for attempts that were started together. */
  readonly sibling_group: string | null;
  /** Set when another attempt at the task was chosen. */
  readonly archived_at: number | null;
  readonly merged_at: number | null;
  /** JSON of `PullRequest[]`. */
  readonly pull_request: string | null;
  readonly created_by_user_id: UserId;
  readonly created_by_agent_id: AgentId | null;
  readonly created_at: number;
  readonly updated_at: number;
}

/** An attempt before the store has numbered it. */
export type NewAttempt = Omit<Attempt, 'number'>;

/** The fields of an attempt in which no agent has worked yet. */
export const ATTEMPT_DEFAULTS = {
  host_id: null,
  removal: null,
  run_status: null,
  outside: null,
  verdict: null,
  verdict_at: null,
  red_retries: 0,
  sibling_group: null,
  archived_at: null,
  merged_at: null,
  pull_request: null,
} as const satisfies Partial<Attempt>;

/** A repository in an attempt. */
export interface AttemptRepo {
  readonly attempt_id: AttemptId;
  readonly repo_id: RepoId;
  readonly target_branch: string;
  /** The commit at which the branch began; null before the first run. */
  readonly base_commit: string | null;
  /** The last commit of the branch after the latest run. */
  readonly head_commit: string | null;
  /** How many commits lead from the one to the other; null before the first run has ended. */
  readonly commits: number | null;
  /** JSON of `ChangedFile[]`: the files that the branch changes, after the latest run. */
  readonly files: string | null;
  /** The same as a patch, cut when it is too long to be kept. */
  readonly patch: string | null;
  readonly is_patch_cut: boolean;
  /** Whether its set-up script has completed in the present folder. */
  readonly is_set_up: boolean;
}

/** A repository in an attempt, with the data of the repository itself. */
export interface AttemptRepoRow extends AttemptRepo {
  readonly repo_name: string;
  readonly repo_path: string;
  readonly setup_script: string | null;
}

/** The folders of a deleted attempt, with the data that their removal needs. */
export interface LeftoverFolders {
  readonly attempt_id: AttemptId;
  /** The machine that has them. */
  readonly host_id: string;
  readonly branch: string;
  /** In the order in which they were linked to the project. It decides which of several repositories with one name gets which folder. */
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

/** How many such files the answer of a run names. */
export const MAX_CHANGED_FILES = 50;

/** A conversation with an agent over several runs. */
export interface Session {
  readonly id: SessionId;
  readonly attempt_id: AttemptId;
  readonly executor: string;
  readonly variant: string | null;
  /** The agent's own id of the session, which is needed to resume it. */
  readonly agent_session_id: string | null;
  readonly created_at: number;
  readonly updated_at: number;
}

const QueuedPromptStatus = z.enum(['queued', 'started', 'cancelled']);

/** A follow-up that waits: for the run before it to end, or for a run that it can join. */
export interface QueuedPrompt {
  readonly id: QueuedPromptId;
  readonly session_id: SessionId;
  readonly prompt: string;
  readonly variant: string | null;
  readonly status: z.infer<typeof QueuedPromptStatus>;
  /** The run that the follow-up became. */
  readonly execution_id: RunId | null;
  readonly user_id: UserId;
  readonly agent_id: AgentId | null;
  /** Whether it may start a run. If not, it joins the next run that another one starts. */
  readonly may_run: boolean;
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
  /** For example WEB-12; null for the todos of an app's users. */
  readonly key: string | null;
  /** Of the newest attempt that is not archived, like all fields below. */
  readonly latest_attempt_id: AttemptId | null;
  readonly latest_attempt_key: string | null;
  readonly verdict: Verdict | null;
  /** Null without an attempt. */
  readonly attempt_state: AttemptState | null;
  /** Why its latest run failed, in one line; null when it did not. */
  readonly last_failure_line: string | null;
  readonly latest_branch: string | null;
  readonly latest_session_id: SessionId | null;
  readonly latest_session_executor: string | null;
  readonly has_in_progress_attempt: boolean;
  readonly last_attempt_failed: boolean;
}

/** An attempt as lists show it. */
export type AttemptRow = Attempt & {
  /** For example WEB-12.2. */
  readonly key: string | null;
  readonly state: AttemptState;
  /** Why its latest run failed, in one line; null when it did not. */
  readonly last_failure_line: string | null;
  readonly latest_session_id: SessionId | null;
  readonly latest_session_executor: string | null;
};

/** What a run of an agent was given at its start. */
export interface RunPrompt {
  readonly execution_id: RunId;
  readonly prompt: string;
  readonly name: string | null;
  readonly user_id: UserId;
  readonly agent_id: AgentId | null;
  readonly started_at: number;
}

/** The longest line about a failure in a row. */
export const MAX_FAILURE_LINE = 120;

/** The most attempts that one call starts together. */
export const MAX_SIBLINGS = 8;

/** Purposes of runs that continue an attempt. */
export const FOLLOW_UP_NAME = 'Follow-up';
/** Nobody asked for such a run: red checks sent the work back. */
export const RETRY_NAME = 'Checks failed';

/** Statuses of an attempt's latest run while an agent works or is about to. */
export const ACTIVE: readonly RunStatus[] = ['queued', 'running'];

/** Statuses of a run that ended without having done its work. */
export const FAILED: readonly RunStatus[] = ['failed', 'interrupted'];

export const isActive = (status: RunStatus | null): boolean => status !== null && ACTIVE.includes(status);

export const hasFailed = (status: RunStatus | null): boolean => status !== null && FAILED.includes(status);
