import type { Agent, Grant } from '#domain/agent';
import type { AgentMessage } from '#domain/agent-message';
import type { Approval } from '#domain/approval';
import type { Attempt, AttemptRepo, QueuedPrompt, Session } from '#domain/attempt';
import type { AuditEvent } from '#domain/audit';
import type { Spending } from '#domain/budget';
import type { Check } from '#domain/check';
import type { Claim } from '#domain/claim';
import type { ClientQuestion, ClientSession } from '#domain/client-session';
import type { Conversation, Message } from '#domain/conversation';
import type { GitJob, PullRequestWatch } from '#domain/git-job';
import type { IdempotencyRecord } from '#domain/idempotency';
import type {
  AttemptId,
  LabelId,
  MessageId,
  ProjectId,
  RepoId,
  StateId,
  TokenId,
  UserId,
  WorkItemId,
  WorkspaceId,
} from '#domain/ids';
import type { Presence } from '#domain/presence';
import type { Label, Project, ProjectMember, Repo, State } from '#domain/project';
import type { QueueEntry } from '#domain/queued-run';
import type { ReviewComment } from '#domain/review';
import type { FeedEntry, Run, Step } from '#domain/run';
import type { BrowserSession, Password, ServerRow, SignInKey } from '#domain/sign-in';
import type { Tick } from '#domain/tick';
import type { Token } from '#domain/token';
import type { User, Workspace } from '#domain/user';
import type { Comment, WorkItem } from '#domain/work-item';
import type { Worker } from '#domain/worker';

export type TokenRow = Omit<Token, 'scopes' | 'acts_for' | 'app'> & {
  readonly scopes: string;
  readonly acts_for: string;
  readonly app: string | null;
  readonly app_user_ids: string | null;
};

interface AppTokenRow {
  readonly token_id: TokenId;
  readonly app: string;
  readonly user_ids: string;
}

interface AppRow {
  readonly workspace_id: WorkspaceId;
  readonly name: string;
  readonly user_count: number;
  readonly created_at: number;
}

interface AppUserRow {
  readonly user_id: UserId;
  readonly workspace_id: WorkspaceId;
  readonly app: string;
  readonly external_id: string;
}

interface AttemptTokenRow {
  readonly token_id: TokenId;
  readonly attempt_id: AttemptId;
  readonly project_id: ProjectId;
}

export type GrantRow = Omit<Grant, 'scopes' | 'can_complete' | 'can_cancel'> & {
  readonly scopes: string;
  readonly can_complete: number;
  readonly can_cancel: number;
};

export type StoredAttemptRepo = Omit<AttemptRepo, 'is_patch_cut' | 'is_set_up'> & {
  readonly is_patch_cut: number;
  readonly is_set_up: number;
};

/** `body` is the JSON of the other fields of `LeftoverFolders`. */
export interface LeftoverRow {
  readonly attempt_id: AttemptId;
  readonly host_id: string;
  readonly body: string;
}

/** `number` is given by the database: exchanges refer to it. */
export type ConversationRow = Conversation & { readonly workspace_id: WorkspaceId; readonly number: number };

export type StoredProject = Omit<Project, 'require_green' | 'delete_branch'> & {
  readonly require_green: number;
  readonly delete_branch: number;
};

/** Short, because every term in the search index begins with it. */
type ProjectRow = StoredProject & { readonly number: number };

interface ProjectKeyRow {
  readonly workspace_id: WorkspaceId;
  readonly key: string;
  readonly project_id: ProjectId;
}

/** A part of a project's tasks in the search index. `oldest` and `newest` are positions in the results of a search. */
interface SegmentRow {
  readonly project_id: ProjectId;
  readonly segment: number;
  readonly oldest: string | number;
  readonly newest: string | number;
  /** The number of the last task that was put on it. */
  readonly filed: number;
  readonly made_at: number;
  /** Odd while its frequent words are in `search_words`. */
  readonly listed: number;
}

/** The tasks of a segment that have a word in the title (`!`) or anywhere (`*`), as `task-sets.ts` writes them. */
interface SearchWordRow {
  readonly project_id: ProjectId;
  readonly word: string;
  readonly segment: number;
  readonly tasks: string;
}

/** How many todos of a list have one of 256 numbers; `oldest` and `newest` are ids of todos that have or had one. */
interface TodoBlockRow {
  readonly project_id: ProjectId;
  readonly block: number;
  readonly oldest: string;
  readonly newest: string;
  readonly pending: number;
  readonly completed: number;
}

export type StoredReviewComment = Omit<ReviewComment, 'is_outdated'> & { readonly is_outdated: number };

export type StoredAgentMessage = Omit<AgentMessage, 'interrupt' | 'may_run'> & {
  readonly interrupt: number;
  readonly may_run: number;
};

export type StoredPrompt = Omit<QueuedPrompt, 'may_run'> & { readonly may_run: number };

/** `body` is the JSON of an `EventDraft`; empty when the event has a shape, its ids and the rest. */
export interface EventRow {
  readonly seq: number;
  readonly at: number;
  readonly body: string;
  readonly shape: number | null;
  readonly ids: string | null;
  readonly rest: string | null;
}

type Actor = 'workspace_id' | 'actor_kind' | 'user_id' | 'agent_id' | 'token_id';
type Action = 'action' | 'outcome' | 'entity' | 'reason';

export type AuditActorRow = Pick<AuditEvent, Actor> & { readonly id: number };
export type AuditActionRow = Pick<AuditEvent, Action> & { readonly id: number };

/** An entry of the audit trail that refers to who did what. */
export type AuditEntryRow = Omit<AuditEvent, Actor | Action> & { readonly actor: number; readonly act: number };

/** The request and the answer of a call: two messages. `conversation` is the number of the conversation. */
export interface ExchangeRow {
  readonly conversation: number;
  readonly id: MessageId;
  readonly at: number;
  readonly request: string;
  readonly answer: string;
}

/** `principal` is the number of a row of `principals`. */
type AnswerRow = Omit<IdempotencyRecord, 'principal_id'> & { readonly principal: number };

/** `body` is the JSON of what a group of writers has left behind: audit entries and events. */
export interface OutboxRow {
  readonly id: number;
  readonly at: number;
  readonly body: string;
}

/** The tables as both databases hold them: times as epoch milliseconds, lists as JSON text, booleans as 0 and 1. */
export interface Tables {
  readonly workspaces: Workspace;
  readonly users: Omit<User, 'app'>;
  readonly apps: AppRow;
  readonly app_users: AppUserRow;
  readonly agents: Agent;
  readonly grants: GrantRow;
  readonly tokens: Omit<TokenRow, 'attempt_id' | 'project_id' | 'app' | 'app_user_ids'>;
  readonly token_apps: AppTokenRow;
  readonly attempt_tokens: AttemptTokenRow;
  readonly projects: ProjectRow;
  readonly project_keys: ProjectKeyRow;
  readonly retired_keys: Omit<ProjectKeyRow, 'project_id'>;
  readonly item_numbers: { readonly project_id: ProjectId; readonly last: number };
  readonly counted_items: { readonly project_id: ProjectId; readonly last: number };
  readonly state_counts: { readonly project_id: ProjectId; readonly state_id: StateId; readonly count: number };
  readonly state_moves: { readonly project_id: ProjectId; readonly state_id: StateId; readonly change: number };
  readonly search_segments: SegmentRow;
  readonly search_words: SearchWordRow;
  readonly search_changes: { readonly project_id: ProjectId; readonly number: number };
  readonly todo_blocks: TodoBlockRow;
  readonly project_members: ProjectMember;
  readonly states: State;
  readonly labels: Label;
  readonly repos: Omit<Repo, 'setup_script'>;
  readonly setup_scripts: { readonly repo_id: RepoId; readonly script: string | null };
  readonly work_items: WorkItem;
  readonly item_labels: { readonly work_item_id: WorkItemId; readonly label_id: LabelId };
  readonly assignments: { readonly work_item_id: WorkItemId; readonly user_id: UserId };
  readonly comments: Comment;
  /** The number of steps is not a column: it is counted. */
  readonly executions: Omit<Run, 'step_count'>;
  readonly steps: Step;
  readonly feed_entries: FeedEntry;
  readonly attempts: Attempt;
  readonly attempt_repos: StoredAttemptRepo;
  readonly leftover_folders: LeftoverRow;
  readonly sessions: Session;
  readonly queued_prompts: StoredPrompt;
  readonly runs: QueueEntry;
  readonly approvals: Approval;
  readonly checks: Check;
  readonly review_comments: StoredReviewComment;
  readonly git_jobs: GitJob;
  readonly pr_watch: PullRequestWatch;
  readonly agent_messages: StoredAgentMessage;
  readonly spending: Spending;
  readonly dependencies: {
    readonly work_item_id: WorkItemId;
    readonly blocker_id: WorkItemId;
    readonly is_open: number;
  };
  readonly claims: Claim;
  readonly workers: Worker;
  readonly events: EventRow;
  readonly event_shapes: { readonly id: number; readonly shape: string };
  readonly event_head: { readonly id: number; readonly seq: number };
  readonly outbox: OutboxRow;
  readonly access_head: { readonly id: number; readonly version: number };
  readonly conversations: ConversationRow;
  readonly messages: Message;
  readonly exchanges: ExchangeRow;
  readonly principals: { readonly id: number; readonly name: string };
  readonly answers: AnswerRow;
  readonly idempotency: IdempotencyRecord;
  readonly audit_events: AuditEvent;
  readonly audit_actors: AuditActorRow;
  readonly audit_actions: AuditActionRow;
  readonly audit_entries: AuditEntryRow;
  readonly audit_head: { readonly id: number; readonly seq: number; readonly hash: string };
  readonly sign_in_keys: SignInKey;
  readonly passwords: Password;
  readonly ticks: Tick;
  readonly presence: Omit<Presence, 'editing'> & { readonly editing: number };
  readonly browser_sessions: BrowserSession;
  readonly servers: ServerRow;
  readonly settings: { readonly name: string; readonly value: string };
  readonly client_sessions: ClientSession;
  readonly client_questions: ClientQuestion;
}
