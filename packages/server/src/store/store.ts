import type { Agent, Grant } from '#domain/agent';
import type { AuditDraft, AuditEvent } from '#domain/audit';
import type { Conversation, Exchange, Message } from '#domain/conversation';
import type { IdempotencyRecord } from '#domain/idempotency';
import type { ConversationId, ProjectId, TokenId, UserId, WorkItemId, WorkspaceId } from '#domain/ids';
import type { Project, Repo, State, TodoList } from '#domain/project';
import type { PresentedToken, Token } from '#domain/token';
import type { User, UserStatus, Workspace } from '#domain/user';
import type { TodoRow, WorkItem } from '#domain/work-item';

/** A part of a list: so many rows after the one with this id; null for the first part. */
export interface Page {
  readonly after: string | null;
  readonly limit: number;
}

export interface TodoQuery {
  readonly completed: boolean | null;
  /** Only items after this one; null for the first page. */
  readonly after: WorkItemId | null;
  readonly limit: number;
}

/**
 * What can be read. Every question about somebody's data takes the owner first, so that a query which forgets
 * isolation does not compile.
 */
export interface Reads {
  readonly workspaces: {
    /** The workspace of this installation; null before the first start. */
    readonly first: () => Promise<Workspace | null>;
  };
  readonly users: {
    readonly find: (workspace: WorkspaceId, id: UserId) => Promise<User | null>;
    /** In the order in which they were added. */
    readonly list: (workspace: WorkspaceId, page: Page) => Promise<readonly User[]>;
  };
  readonly agents: {
    /** In the order in which they were made. */
    readonly list: (workspace: WorkspaceId, page: Page) => Promise<readonly Agent[]>;
    readonly grants: (workspace: WorkspaceId, agent: Agent['id']) => Promise<readonly Grant[]>;
  };
  readonly tokens: {
    /** By the hash of the secret, which is the proof of ownership: the one lookup without an owner. */
    readonly present: (hash: string) => Promise<PresentedToken | null>;
    /** In the order in which they were made. */
    readonly list: (workspace: WorkspaceId, page: Page) => Promise<readonly Token[]>;
  };
  readonly projects: {
    readonly find: (workspace: WorkspaceId, id: ProjectId) => Promise<Project | null>;
    /** In the order in which they were added, todo lists of users among them. */
    readonly list: (workspace: WorkspaceId, page: Page) => Promise<readonly Project[]>;
    readonly states: (workspace: WorkspaceId, id: ProjectId) => Promise<readonly State[]>;
    readonly repos: (workspace: WorkspaceId, id: ProjectId) => Promise<readonly Repo[]>;
    /** The todo list of an active user; null when there is no such user, or a blocked one. */
    readonly todoList: (workspace: WorkspaceId, owner: UserId) => Promise<TodoList | null>;
  };
  readonly workItems: {
    /** In the order of creation. */
    readonly todos: (owner: UserId, query: TodoQuery) => Promise<readonly TodoRow[]>;
    /** A todo of anyone in the workspace: the rule of the todo list tells another's from an unknown one. */
    readonly findTodo: (workspace: WorkspaceId, id: WorkItemId) => Promise<WorkItem | null>;
  };
  readonly conversations: {
    /** Newest first. */
    readonly list: (user: UserId, page: Page) => Promise<readonly Conversation[]>;
    /** In the order in which they were said. */
    readonly messages: (user: UserId, conversation: ConversationId, page: Page) => Promise<readonly Message[]>;
  };
  readonly audit: {
    /** Entries with `seq` greater than `after`, in order, of every workspace: the chain is one. */
    readonly page: (after: number, limit: number) => Promise<readonly AuditEvent[]>;
    /** Where the chain ends, kept apart from the entries so that a cut tail shows. */
    readonly head: () => Promise<{ readonly seq: number; readonly hash: string }>;
  };
  readonly settings: {
    readonly get: (name: string) => Promise<string | null>;
  };
}

/** A transaction: reads see its own writes, and all of it happens or none. */
export interface Transaction extends Reads {
  /** The store's clock, one value for the whole transaction. */
  readonly now: number;
  readonly workspaces: Reads['workspaces'] & { readonly insert: (workspace: Workspace) => Promise<void> };
  readonly users: Reads['users'] & {
    readonly insert: (user: User) => Promise<void>;
    /** False when there is no such user. */
    readonly setStatus: (workspace: WorkspaceId, id: UserId, status: UserStatus) => Promise<boolean>;
  };
  readonly agents: Reads['agents'] & {
    readonly insert: (agent: Agent) => Promise<void>;
    readonly putGrant: (grant: Grant) => Promise<void>;
  };
  readonly tokens: Reads['tokens'] & {
    readonly insert: (token: Token) => Promise<void>;
    /** Keeps the first time of revocation. False when there is no such token. */
    readonly revoke: (workspace: WorkspaceId, id: TokenId, at: number) => Promise<boolean>;
  };
  readonly projects: Reads['projects'] & {
    readonly insert: (project: Project, states: readonly State[]) => Promise<void>;
    readonly insertRepo: (repo: Repo) => Promise<void>;
  };
  readonly workItems: Reads['workItems'] & {
    readonly insert: (item: WorkItem) => Promise<void>;
    /** Writes every field but the ids and the time of creation; the version must be that of the row plus one. */
    readonly update: (item: WorkItem) => Promise<void>;
    readonly delete: (workspace: WorkspaceId, id: WorkItemId) => Promise<void>;
  };
  readonly idempotency: {
    /** Records that have not expired. */
    readonly find: (principal: string, key: string) => Promise<IdempotencyRecord | null>;
    /** Replaces an expired record of the same key. */
    readonly put: (record: IdempotencyRecord) => Promise<void>;
    /** Deletes at most `limit` expired records; how many it deleted. */
    readonly sweep: (now: number, limit: number) => Promise<number>;
  };
  readonly settings: Reads['settings'] & { readonly put: (name: string, value: string) => Promise<void> };
  /** Appends to the audit chain when the transaction commits. */
  readonly record: (event: AuditDraft) => void;
  /** Appends to the user's open conversation, or to a new one, when the transaction commits. */
  readonly say: (exchange: Exchange) => void;
}

/**
 * Where everything is kept. Transactions of one store never overlap: each sees all that were committed before it.
 * Many of them share one commit, so a transaction may await the store and nothing else: what else it awaits,
 * every other writer waits for.
 */
export interface Store {
  /** Reads outside a transaction: committed state only. */
  readonly reads: Reads;
  /** Resolves when the work is on disk. The work may run twice: it must have no effect besides the transaction. */
  readonly transaction: <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>;
  /** Like `say` in a transaction of its own, within 50 ms and without an answer: for calls that only read. */
  readonly sayLater: (exchange: Exchange) => void;
  /** Rejects with `database_error` when the store cannot be written or its schema is not the expected one. */
  readonly check: () => Promise<void>;
  /** Finishes what was asked for, then lets go of files and connections. */
  readonly close: () => Promise<void>;
}
