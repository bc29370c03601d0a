import type { Approval } from '#domain/approval';
import type {
  Attempt,
  AttemptRepo,
  AttemptRepoRow,
  AttemptRow,
  BoardRow,
  LeftoverFolders,
  NewAttempt,
  QueuedPrompt,
  RunPrompt,
  Session,
} from '#domain/attempt';
import type { Claim, HeldClaim } from '#domain/claim';
import type {
  AgentId,
  ApprovalId,
  AttemptId,
  ProjectId,
  QueuedPromptId,
  RunId,
  SessionId,
  WorkItemId,
  WorkspaceId,
} from '#domain/ids';
import type { QueuedRun, QueueEntry } from '#domain/queued-run';
import type { Within } from '#domain/reach';
import type { FeedEntry, Run } from '#domain/run';
import type { ItemRow, WorkItem } from '#domain/work-item';
import type { Worker } from '#domain/worker';

/** Something of a workspace: its id finds nothing in another one. */
type Of<Thing extends { readonly id: string; readonly workspace_id: WorkspaceId }> = Pick<Thing, 'id' | 'workspace_id'>;

/** Where a question was asked; no attempt for one about the task alone. */
export interface QuestionPlace {
  readonly workspace_id: WorkspaceId;
  readonly work_item_id: WorkItemId;
  readonly attempt_id: AttemptId | null;
}

export interface BoardQuery {
  readonly project_id: ProjectId;
  /** The slug of a state; null for all. */
  readonly status: string | null;
  /** Only this task; null for all. */
  readonly task_id: WorkItemId | null;
  /** Only tasks made before this one, newest first; null for the newest. */
  readonly before: WorkItemId | null;
  readonly limit: number;
}

/** Tasks that are not begun, in the order in which they should be. */
export interface CandidateQuery {
  /** How many of the first ones are left out. */
  readonly offset: number;
  readonly limit: number;
}

/** The time and the cost of a run. */
export interface RunTime extends Pick<Run, 'usage' | 'ended_at'> {
  /** Null when no agent was started for it. */
  readonly spawned_at: number | null;
}

/** The read methods about attempts and workers: see `Reads`. */
export interface BoardReads {
  readonly board: {
    /** Tasks with the summary of their attempts, newest first: one query. */
    readonly tasks: (within: Within, query: BoardQuery) => Promise<readonly BoardRow[]>;
    readonly task: (within: Within, id: WorkItemId) => Promise<BoardRow | null>;
    /** Tasks of the groups backlog and unstarted, not blocked and without a run in progress; by priority, then place, then age. */
    readonly candidates: (within: Within, query: CandidateQuery) => Promise<readonly BoardRow[]>;
    /** The items that this one waits for, in the order in which they were made. */
    readonly blockers: (within: Within, id: WorkItemId) => Promise<readonly ItemRow[]>;
    /** The items that wait for this one. */
    readonly blocked: (within: Within, id: WorkItemId) => Promise<readonly ItemRow[]>;
    /** Whether `id` waits for `other`, directly or indirectly. */
    readonly waitsFor: (workspace: WorkspaceId, id: WorkItemId, other: WorkItemId) => Promise<boolean>;
    readonly claim: (workspace: WorkspaceId, item: WorkItemId) => Promise<Claim | null>;
    /** The newest claim that an agent holds by the store's clock. */
    readonly claimOfAgent: (workspace: WorkspaceId, agent: AgentId) => Promise<HeldClaim | null>;
    /** Claims of every workspace whose lease is over by the store's clock, at most `limit`. */
    readonly expiredClaims: (limit: number) => Promise<readonly Claim[]>;
  };
  readonly attempts: {
    readonly find: (within: Within, id: AttemptId) => Promise<AttemptRow | null>;
    /** Newest first; of those made at one time, by id. */
    readonly ofItem: (
      within: Within,
      item: WorkItemId,
      page: { readonly after: Pick<Attempt, 'id' | 'created_at'> | null; readonly limit: number },
    ) => Promise<readonly AttemptRow[]>;
    /** In the order in which they were linked to the project. */
    readonly repos: (attempt: Of<Attempt>) => Promise<readonly AttemptRepoRow[]>;
    /** The newest first. */
    readonly sessions: (attempt: Of<Attempt>) => Promise<readonly Session[]>;
    /** A session with its attempt. */
    readonly session: (
      within: Within,
      id: SessionId,
    ) => Promise<{ readonly session: Session; readonly attempt: Attempt } | null>;
    /** Its runs, the newest first. */
    readonly runs: (attempt: Of<Attempt>, limit: number) => Promise<readonly Run[]>;
    /** When the agents of its runs were at work, and what they cost; the newest first. */
    readonly runTimes: (attempt: Of<Attempt>, limit: number) => Promise<readonly RunTime[]>;
    /** The prompts that wait in a session of the attempt, in the order in which they were queued. */
    readonly queued: (attempt: Of<Attempt>, session: SessionId) => Promise<readonly QueuedPrompt[]>;
    readonly prompt: (attempt: Of<Attempt>, session: SessionId, id: QueuedPromptId) => Promise<QueuedPrompt | null>;
    /** What happened in all its runs, one after another, after this place. */
    readonly feed: (
      attempt: Of<Attempt>,
      after: Pick<FeedEntry, 'execution_id' | 'seq'> | null,
      limit: number,
    ) => Promise<readonly FeedEntry[]>;
    /** The entries right before this place, at most `limit`, in the same order. */
    readonly feedBefore: (
      attempt: Of<Attempt>,
      place: Pick<FeedEntry, 'execution_id' | 'seq'>,
      limit: number,
    ) => Promise<readonly FeedEntry[]>;
    /** The last entries, at most `limit`, in the same order. */
    readonly latestFeed: (attempt: Of<Attempt>, limit: number) => Promise<readonly FeedEntry[]>;
    /** The prompts of these runs, in their order. Runs that only run checks have none. */
    readonly prompts: (attempt: Of<Attempt>, runs: readonly RunId[]) => Promise<readonly RunPrompt[]>;
    /** The attempts of every workspace whose folders on this machine must be removed. */
    readonly removals: (host_id: string) => Promise<readonly Attempt[]>;
    /** The folders on this machine of deleted attempts of every workspace. */
    readonly leftovers: (host_id: string) => Promise<readonly LeftoverFolders[]>;
  };
  readonly approvals: {
    readonly find: (
      within: Within,
      id: ApprovalId,
    ) => Promise<{ readonly approval: Approval; readonly attempt: Attempt | null } | null>;
    /** The latest question of the tool with exactly these words, about an attempt or about a task alone. */
    readonly lastAsked: (place: QuestionPlace, question: string) => Promise<Approval | null>;
    /** The questions of the tool about a task and its attempts that have no answer. */
    readonly openOfItem: (item: Of<WorkItem>) => Promise<readonly Approval[]>;
    /** The newest questions about a task and its attempts, answered or not. */
    readonly ofItem: (item: Of<WorkItem>, limit: number) => Promise<readonly Approval[]>;
    /** Those without an answer, in the order in which they were asked. */
    readonly pending: (attempt: Of<Attempt>) => Promise<readonly Approval[]>;
    /** The questions of a run, answered or not, in the order in which they were asked. */
    readonly ofRun: (run: Of<Run>) => Promise<readonly Approval[]>;
    /** The same for the worker that runs it, which serves every workspace and knows the run by its id alone. */
    readonly ofRunForWorker: (run: RunId) => Promise<readonly Approval[]>;
  };
  readonly queue: {
    readonly find: (run: Of<Run>) => Promise<QueuedRun | null>;
    /** The same for a worker, which serves every workspace: the epoch that it names is its right to the run. */
    readonly findForWorker: (run: RunId) => Promise<QueuedRun | null>;
    /** The unfinished runs of this worker. */
    readonly heldBy: (worker_id: string) => Promise<readonly QueuedRun[]>;
    /** The running runs whose lease is over by the store's clock, or that belong to one of these workers. */
    readonly lost: (worker_ids: readonly string[]) => Promise<readonly QueuedRun[]>;
    /**
     * The queued runs for a worker with one of these executors, oldest first: of attempts whose folders are on this
     * machine, on none, or on a machine without a live worker.
     */
    readonly waiting: (query: {
      readonly executors: readonly string[];
      readonly host_id: string;
      readonly limit: number;
    }) => Promise<readonly QueuedRun[]>;
  };
  readonly workers: {
    /** The workers that have reported recently, by the store's clock. */
    readonly live: () => Promise<readonly Worker[]>;
    /** All of this machine. */
    readonly onHost: (host_id: string) => Promise<readonly Worker[]>;
  };
}

/** The write methods about attempts and workers. */
export interface BoardWrites {
  readonly board: BoardReads['board'] & {
    /** Replaces all items that this one waits for. */
    readonly setBlockers: (item: Of<WorkItem>, blockers: readonly WorkItemId[]) => Promise<void>;
    readonly putClaim: (claim: Claim) => Promise<void>;
  };
  readonly attempts: BoardReads['attempts'] & {
    readonly insert: (attempt: NewAttempt, repos: readonly AttemptRepo[]) => Promise<void>;
    /** Writes machine, removal, status and time of change. */
    readonly update: (attempt: Attempt) => Promise<void>;
    /** Writes every field but the ids and the target branch. */
    readonly updateRepo: (repo: AttemptRepo) => Promise<void>;
    readonly insertLeftover: (folders: LeftoverFolders) => Promise<void>;
    readonly dropLeftover: (folders: Pick<LeftoverFolders, 'attempt_id' | 'host_id'>) => Promise<void>;
    readonly insertSession: (session: Session) => Promise<void>;
    /** Writes variant, the agent's own id and the time of change. */
    readonly updateSession: (session: Session) => Promise<void>;
    readonly insertPrompt: (prompt: QueuedPrompt) => Promise<void>;
    /** Writes status and execution_id. */
    readonly updatePrompt: (prompt: QueuedPrompt) => Promise<void>;
  };
  readonly approvals: BoardReads['approvals'] & {
    readonly insert: (approval: Approval) => Promise<void>;
    /** Writes status, answer, by whom and when. */
    readonly update: (approval: Approval) => Promise<void>;
  };
  readonly queue: BoardReads['queue'] & {
    readonly insert: (run: QueueEntry) => Promise<void>;
    /** Writes every field but those that name the run, its prompt and its executor. */
    readonly update: (run: QueueEntry) => Promise<void>;
  };
  readonly workers: BoardReads['workers'] & {
    readonly put: (worker: Worker) => Promise<void>;
    readonly remove: (id: string) => Promise<void>;
    /** Deletes workers that have not reported since this time and have no run. Returns their number. */
    readonly sweep: (before: number) => Promise<number>;
  };
}
