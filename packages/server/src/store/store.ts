import type { Agent, Grant } from '#domain/agent';
import type { AppUser } from '#domain/app';
import type { AuditDraft, AuditEvent, AuditFilter, AuditReader, NamedEntity } from '#domain/audit';
import type { Conversation, Exchange, Message } from '#domain/conversation';
import type { Event, EventDraft } from '#domain/event';
import type { IdempotencyRecord, KeyName } from '#domain/idempotency';
import type {
  AgentId,
  ConversationId,
  LabelId,
  ProjectId,
  RunId,
  StepId,
  TokenId,
  UserId,
  WorkItemId,
  WorkspaceId,
} from '#domain/ids';
import type { Label, MemberRow } from '#domain/project';
import type { Within } from '#domain/reach';
import type { FeedEntry, Liveness, Run, RunStatus, Step } from '#domain/run';
import type { RunVisibility } from '#domain/run-visibility';
import type { Scope } from '#domain/scope';
import type { PresentedToken, Token } from '#domain/token';
import type { User, UserStatus, Workspace } from '#domain/user';
import type { Comment, CommentRow, ItemRow, NewWorkItem, SearchTier, TodoRow, WorkItem } from '#domain/work-item';
import type { BoardReads, BoardWrites } from './board-store.ts';
import type { CardReads } from './card-store.ts';
import type { CheckReads, CheckWrites } from './check-store.ts';
import type { ClientSessionReads, ClientSessionWrites } from './client-session-store.ts';
import type { GitJobReads, GitJobWrites } from './git-job-store.ts';
import type { InboxReads } from './inbox-store.ts';
import type { ListedRunReads } from './listed-run-store.ts';
import type { MessageReads, MessageWrites } from './message-store.ts';
import type { NameReads, NameWrites } from './name-store.ts';
import type { SchemaChange } from './opening.ts';
import type { OperationReads } from './operation-store.ts';
import type { PresenceReads, PresenceWrites } from './presence-store.ts';
import type { Page, ProjectReads, ProjectWrites } from './project-store.ts';
import type { ReviewReads, ReviewWrites } from './review-store.ts';
import type { SessionReads, SessionWrites } from './session-store.ts';
import type { SignInReads, SignInWrites } from './sign-in-store.ts';
import type { SpendingReads, SpendingWrites } from './spending-store.ts';
import type { TickReads, TickWrites } from './tick-store.ts';
import type { UpkeepReads, UpkeepWrites } from './upkeep-store.ts';

export type { BoardQuery, CandidateQuery, RunTime } from './board-store.ts';
export type { ListedRunQuery } from './listed-run-store.ts';
export type { Page } from './project-store.ts';

export interface TodoQuery {
  readonly completed: boolean | null;
  /** Only items after this one; null for the first page. */
  readonly after: WorkItemId | null;
  readonly limit: number;
}

export interface SearchQuery {
  /** Words in the form of `queryTerms`, each found at the start of a word too; none of them: everything. */
  readonly terms: readonly string[];
  /** Only items after this one; null for the first page. */
  readonly after: { readonly tier: SearchTier; readonly id: WorkItemId } | null;
  readonly limit: number;
}

export type FoundItem = ItemRow & { readonly tier: SearchTier };

export interface AuditQuery extends AuditFilter {
  /** Only entries before this one, newest first; null for the newest. */
  readonly before: number | null;
  /** Only entries after this one. */
  readonly after?: number | undefined;
  readonly limit: number;
}

export interface RunQuery {
  readonly status?: RunStatus | undefined;
  /** Only those that have not ended. */
  readonly liveness?: Liveness | undefined;
  readonly project_id?: ProjectId | undefined;
  readonly work_item_id?: string | undefined;
  /** Only those made before this one, newest first; null for the newest. */
  readonly before: RunId | null;
  readonly limit: number;
}

/** A page of a numbered list: at most `limit` entries after this number; 0 for the first page. */
export interface NumberedPage {
  readonly after: number;
  readonly limit: number;
}

/**
 * What can be read. Every question takes the workspace or the owner first, or a row that names its workspace, so that a
 * query which forgets isolation does not compile: an id finds nothing in another workspace. Questions of workers and
 * servers, which work for every workspace, say so in their names, and `owner-first.test.ts` knows no others.
 */
export interface Reads
  extends ProjectReads,
    BoardReads,
    CardReads,
    CheckReads,
    GitJobReads,
    InboxReads,
    ListedRunReads,
    MessageReads,
    ReviewReads,
    NameReads,
    UpkeepReads,
    OperationReads,
    PresenceReads,
    TickReads,
    SessionReads,
    SignInReads,
    SpendingReads,
    ClientSessionReads {
  readonly workspaces: {
    /** The workspace of this installation; null before the first start. */
    readonly first: () => Promise<Workspace | null>;
  };
  readonly users: {
    /** A person or a user of an app. */
    readonly find: (workspace: WorkspaceId, id: UserId) => Promise<User | null>;
    /** The people, in the order in which they were added. */
    readonly list: (workspace: WorkspaceId, page: Page) => Promise<readonly User[]>;
    /** The people with exactly this name, at most `limit`, in the order in which they were added. */
    readonly named: (workspace: WorkspaceId, name: string, limit: number) => Promise<readonly User[]>;
  };
  readonly appUsers: {
    readonly find: (workspace: WorkspaceId, user: AppUser) => Promise<User | null>;
    /** In the order in which the app named them first. */
    readonly list: (workspace: WorkspaceId, app: string, page: Page) => Promise<readonly User[]>;
    readonly hasApp: (workspace: WorkspaceId, app: string) => Promise<boolean>;
  };
  readonly agents: {
    readonly find: (workspace: WorkspaceId, id: AgentId) => Promise<Agent | null>;
    /** In the order in which they were made. */
    readonly list: (workspace: WorkspaceId, page: Page) => Promise<readonly Agent[]>;
    readonly grants: (workspace: WorkspaceId, agent: AgentId) => Promise<readonly Grant[]>;
  };
  readonly tokens: {
    /** Finds a token by the hash of its secret. The secret proves ownership, so this lookup needs no owner. */
    readonly present: (hash: string) => Promise<PresentedToken | null>;
    readonly find: (workspace: WorkspaceId, id: TokenId) => Promise<Token | null>;
    /** In the order in which they were made. */
    readonly list: (workspace: WorkspaceId, page: Page) => Promise<readonly Token[]>;
    /** In the order of creation, including ended ones. */
    readonly ofAgent: (workspace: WorkspaceId, agent: AgentId) => Promise<readonly Token[]>;
  };
  readonly workItems: {
    /** In the order of creation. */
    readonly todos: (owner: UserId, query: TodoQuery) => Promise<readonly TodoRow[]>;
    /** How many todos `query` finds, counted up to its limit. */
    readonly countTodos: (owner: UserId, query: TodoQuery) => Promise<number>;
    /** A todo of any user in the workspace: the todo rules answer differently for another user's todo and for an unknown one. */
    readonly findTodo: (workspace: WorkspaceId, id: WorkItemId) => Promise<WorkItem | null>;
    readonly find: (within: Within, id: WorkItemId) => Promise<WorkItem | null>;
    /** The ids of the item and its ancestors, itself first, at most `most`; none when it is not visible. */
    readonly lineage: (within: Within, id: WorkItemId, most: number) => Promise<readonly WorkItemId[]>;
    /** Items whose words begin with all terms: those with all of them in the title first, and of each kind the newest first. */
    readonly search: (within: Within, query: SearchQuery) => Promise<readonly FoundItem[]>;
    /** By name. */
    readonly labels: (within: Within, id: WorkItemId) => Promise<readonly Label[]>;
    /** In the order of their names. */
    readonly assignees: (within: Within, id: WorkItemId) => Promise<readonly Pick<MemberRow, 'user_id' | 'name'>[]>;
    /** Newest first. */
    readonly comments: (within: Within, id: WorkItemId, page: Page) => Promise<readonly CommentRow[]>;
    readonly countComments: (within: Within, id: WorkItemId) => Promise<number>;
  };
  readonly conversations: {
    /** Newest first. */
    readonly list: (user: UserId, page: Page) => Promise<readonly Conversation[]>;
    /** In the order in which they were said. */
    readonly messages: (user: UserId, conversation: ConversationId, page: Page) => Promise<readonly Message[]>;
    /** Whether any conversation has had no message for this long, by the store's clock. */
    readonly hasOlder: (silent_ms: number) => Promise<boolean>;
    /** Users with more than `most` messages, of those who were active so recently by the store's clock. */
    readonly crowded: (query: {
      readonly active_within_ms: number;
      readonly most: number;
      readonly limit: number;
    }) => Promise<readonly { readonly user_id: UserId; readonly count: number }[]>;
  };
  readonly audit: {
    /** Entries with `seq` greater than `after`, in order, of every workspace: the chain is one. */
    readonly page: (after: number, limit: number) => Promise<readonly AuditEvent[]>;
    /** The end of the chain. It is stored apart from the entries, so that a cut tail is noticed; null when it was removed. */
    readonly head: () => Promise<{ readonly seq: number; readonly hash: string } | null>;
    /** Entries of one workspace, newest first. */
    readonly list: (workspace: WorkspaceId, query: AuditQuery) => Promise<readonly AuditEvent[]>;
    /** The names of the things that audit entries are about, as the reader may see them; things without a name are left out. */
    readonly named: (reader: AuditReader, ids: readonly string[]) => Promise<readonly NamedEntity[]>;
  };
  readonly runs: {
    readonly find: (within: Within, id: RunId) => Promise<Run | null>;
    readonly seen: (visibility: Pick<RunVisibility, 'workspace_id' | 'sees'>, id: RunId) => Promise<Run | null>;
    /** Newest first. */
    readonly list: (visibility: RunVisibility, query: RunQuery) => Promise<readonly Run[]>;
    /** The finished work sessions of these projects, newest first: external runs that ended with a summary. */
    readonly reports: (
      within: Within,
      page: { readonly before: RunId | null; readonly limit: number },
    ) => Promise<readonly Run[]>;
    /** Of a run that was found before. */
    readonly step: (run: Run, id: StepId) => Promise<Step | null>;
    /** In the order of their numbers. */
    readonly steps: (run: Run, page: NumberedPage) => Promise<readonly Step[]>;
    /** In the order of their numbers. */
    readonly feed: (run: Run, page: NumberedPage) => Promise<readonly FeedEntry[]>;
    /** Whether some runs have not reported for this long, by the store's clock, and are not marked yet: see `silent`. */
    readonly hasSilent: (query: {
      readonly silent_ms: number;
      readonly liveness: Exclude<Liveness, 'live'>;
    }) => Promise<boolean>;
  };
  readonly events: {
    /** The number of the last committed event; 0 before the first. */
    readonly head: () => Promise<number>;
    /**
     * In the order of their numbers, of every workspace: the gateway decides who gets which. Ends before
     * an unreadable event; rejects with `UnreadableEvent` when that is the first.
     */
    readonly page: (page: NumberedPage) => Promise<readonly Event[]>;
  };
  readonly idempotency: {
    /** Records that have not expired. */
    readonly find: (principal: string, key: string) => Promise<IdempotencyRecord | null>;
  };
  readonly settings: {
    readonly get: (name: string) => Promise<string | null>;
  };
}

type Writes = ProjectWrites &
  BoardWrites &
  CheckWrites &
  GitJobWrites &
  MessageWrites &
  NameWrites &
  UpkeepWrites &
  ReviewWrites &
  PresenceWrites &
  TickWrites &
  SessionWrites &
  SignInWrites &
  SpendingWrites &
  ClientSessionWrites;

/** A transaction: reads see its own writes, and all of it is committed or nothing. */
export interface Transaction extends Omit<Reads, keyof Writes>, Writes {
  /** The store's clock, one value for the whole transaction. */
  readonly now: number;
  readonly workspaces: Reads['workspaces'] & {
    readonly insert: (workspace: Workspace) => Promise<void>;
    readonly rename: (id: WorkspaceId, name: string) => Promise<void>;
  };
  readonly users: Reads['users'] & {
    readonly insert: (user: User) => Promise<void>;
    /** Writes name and role. */
    readonly update: (user: User) => Promise<void>;
    /** False when there is no such user. */
    readonly setStatus: (workspace: WorkspaceId, id: UserId, status: UserStatus) => Promise<boolean>;
  };
  readonly appUsers: Reads['appUsers'] & {
    /** Adds the app, unless it is there. */
    readonly openApp: (workspace: WorkspaceId, app: string) => Promise<void>;
    /**
     * Gives the id of an app's user to a user who is inserted in the same transaction. `taken`: another has it;
     * `full`: the app has `most` users.
     */
    readonly claim: (
      user: Pick<User, 'workspace_id' | 'id'>,
      id: AppUser,
      most: number,
    ) => Promise<'claimed' | 'taken' | 'full'>;
    /** Deletes an app's user with their work items, conversations, messages and idempotency keys. */
    readonly remove: (user: User) => Promise<void>;
  };
  readonly agents: Reads['agents'] & {
    readonly insert: (agent: Agent) => Promise<void>;
    readonly putGrant: (grant: Grant) => Promise<void>;
    /** False when there was none. */
    readonly removeGrant: (workspace: WorkspaceId, agent: AgentId, project: ProjectId) => Promise<boolean>;
  };
  readonly tokens: Reads['tokens'] & {
    readonly insert: (token: Token) => Promise<void>;
    /** Revokes a token, and keeps the first time of revocation. False when there is no such token. */
    readonly revoke: (workspace: WorkspaceId, id: TokenId, at: number) => Promise<boolean>;
    /** Revokes the tokens of a user that hold a scope. */
    readonly revokeWith: (user: Pick<User, 'workspace_id' | 'id'>, scope: Scope, at: number) => Promise<void>;
    /** Makes a token expire at this time, unless it expires earlier. */
    readonly expireBy: (workspace: WorkspaceId, id: TokenId, at: number) => Promise<void>;
  };
  readonly workItems: Reads['workItems'] & {
    /** Gives the item the next number of its project. */
    readonly insert: (item: NewWorkItem) => Promise<void>;
    /** Writes every field but the ids, the number and the time of creation; the version must be that of the row plus one. */
    readonly update: (item: WorkItem) => Promise<void>;
    readonly delete: (workspace: WorkspaceId, id: WorkItemId) => Promise<void>;
    /** Replaces all labels of the item. */
    readonly setLabels: (item: WorkItem, labels: readonly LabelId[]) => Promise<void>;
    /** Replaces all assignees of the item. */
    readonly setAssignees: (item: WorkItem, users: readonly UserId[]) => Promise<void>;
    readonly insertComment: (comment: Comment) => Promise<void>;
  };
  readonly conversations: Reads['conversations'] & {
    /** Deletes at most `limit` messages of conversations that ended before this time, and conversations without any; how many messages. */
    readonly sweep: (before: number, limit: number) => Promise<number>;
    /** Deletes the oldest `count` messages of a user. Returns how many it deleted. */
    readonly trim: (user: UserId, count: number) => Promise<number>;
  };
  readonly runs: Reads['runs'] & {
    readonly insert: (run: Run) => Promise<void>;
    /** Writes every field that a report may change. */
    readonly update: (run: Run) => Promise<void>;
    /** Its number must be the next after the `step_count` that was read in this transaction. */
    readonly insertStep: (step: Step) => Promise<void>;
    /** Writes name, status, message and times. */
    readonly updateStep: (step: Step) => Promise<void>;
    /** Those that have not ended, in the order of their numbers. */
    readonly openSteps: (run: Run) => Promise<readonly Step[]>;
    /** Gives the entry its number. */
    readonly insertEntry: (entry: Omit<FeedEntry, 'seq'>) => Promise<FeedEntry>;
    /**
     * Runs in status running, of every workspace, not seen since `seen_before` and not marked as silent yet; at most
     * `limit`.
     */
    readonly silent: (query: {
      readonly seen_before: number;
      readonly liveness: Exclude<Liveness, 'live'>;
      readonly limit: number;
    }) => Promise<readonly Run[]>;
  };
  readonly events: Reads['events'] & {
    /** Deletes at most `limit` changes from before this time; how many it deleted. */
    readonly sweep: (before: number, limit: number) => Promise<number>;
  };
  readonly idempotency: Reads['idempotency'] & {
    /** Replaces an expired record of the same key. */
    readonly put: (record: IdempotencyRecord) => Promise<void>;
    /** Writes the answer and expiry of the call that reserved the key at `created_at`, if it still runs. */
    readonly complete: (record: IdempotencyRecord) => Promise<void>;
    /** Releases the key of the call that reserved it at `created_at`, if it still runs. */
    readonly release: (record: Pick<IdempotencyRecord, 'principal_id' | 'key' | 'created_at'>) => Promise<void>;
    /** Deletes at most `limit` expired records; how many it deleted. */
    readonly sweep: (now: number, limit: number) => Promise<number>;
  };
  readonly settings: Reads['settings'] & { readonly put: (name: string, value: string) => Promise<void> };
  /** Appends to the audit chain when the transaction commits. */
  readonly record: (event: AuditDraft) => void;
  /** Numbers the event and sends it to listeners when the transaction commits. */
  readonly emit: (event: EventDraft) => void;
  /** Appends to the user's open conversation, or to a new one, when the transaction commits. */
  readonly say: (exchange: Exchange) => void;
}

/** Where a transaction takes place, when it does not need the whole store to itself. */
export interface Place {
  /**
   * The project of the transaction, or the user where there is none. Transactions of one lane never overlap, and none
   * overlaps with one that has no lane. What lanes share stands still in them: users, tokens, memberships, projects and
   * their parts. A transaction that changes those is refused with `NotInLane`.
   */
  readonly lane?: string;
  /** The key that a transaction in a lane looks up: the keys of transactions that share a commit are looked up together. */
  readonly key?: KeyName;
  /** The user whose todo list and conversation the transaction reads: they are looked up with the key. */
  readonly user?: UserId;
}

/**
 * The store. Its transactions never overlap, unless they name different lanes: each sees all that were committed before it.
 * Many of them share one commit, so a transaction may await only the store: anything else that it awaits,
 * delays every other writer.
 */
export interface Store {
  /** Reads outside a transaction: committed state only. */
  readonly reads: Reads;
  /** Whether transactions in different lanes run at once. Otherwise lanes are not looked at. */
  readonly has_lanes: boolean;
  /** Resolves when the work is on disk. The work may run twice: it must have no effect besides the transaction. */
  readonly transaction: <T>(work: (tx: Transaction) => Promise<T>, place?: Place) => Promise<T>;
  /** Like `say` in a transaction, but within 50 ms and without waiting: for calls that only read. */
  readonly sayLater: (exchange: Exchange) => void;
  /**
   * The number of the state that readers see now: it is another one after every commit, of this or another process, but for
   * messages of `sayLater`. Null where asking for it costs as much as reading.
   */
  readonly version: (() => number) | null;
  /** Calls back soon after this or another process may have committed changes. Returns the function that stops it. */
  readonly watch: (listener: () => void) => () => void;
  /** The migrations that opening applied. */
  readonly schema: SchemaChange;
  /** Rejects when the store cannot be written, is damaged, or has another schema than the expected one. */
  readonly check: () => Promise<void>;
  /** Finishes the queued work, then closes files and connections. */
  readonly close: () => Promise<void>;
}
