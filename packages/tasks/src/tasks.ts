import type { TaskContext } from './context.ts';
import type { JsonObject } from './json.ts';
import type { TaskLimits } from './limits.ts';
import type { TaskStore } from './store.ts';
import type { InputRequest, Outcome, TaskRecord, TaskStatus } from './task.ts';

/** Does the work of one tool, and resolves to the tool's result. */
export type TaskHandler = (task: TaskContext) => Promise<JsonObject>;

export interface TaskTool {
  readonly run: TaskHandler;
  /** False for work that must not be started twice: when its worker dies, the task fails instead. */
  readonly resumable?: boolean;
}

export interface WorkerOptions {
  /** The name of the worker in leases; random unless given. */
  readonly worker_id?: string;
  /** How many tasks run at the same time. Tasks that wait for input do not count, and continue at once when answered. */
  readonly concurrency?: number;
  /** How long a task stays with a worker that does not renew its lease. Workers renew every third of this time. */
  readonly lease_ms?: number;
  /**
   * Starts of one task before it fails: otherwise a task that kills its workers would be started for ever. A start
   * does not count when the worker handed the task back at its close.
   */
  readonly max_attempts?: number;
}

export interface TasksOptions {
  readonly store: TaskStore;
  /** The handlers of the tools, by name. */
  readonly tools: Readonly<Record<string, TaskHandler | TaskTool>>;
  readonly limits?: Partial<TaskLimits>;
  /** False when this process only creates and reads tasks, and another one runs them. */
  readonly worker?: WorkerOptions | false;
  /** How often requestors should poll, and how often the runtime polls the store when no signal comes. */
  readonly poll_interval_ms?: number;
  /** Called with failures that no caller gets. */
  readonly report?: (error: unknown, task_id: string | null) => void;
}

export interface TaskRequest {
  readonly owner_id: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  /** `tools/call` unless given. */
  readonly method?: string;
  /** The requested TTL; undefined means the default. */
  readonly ttl_ms?: number | null | undefined;
  readonly progress_token?: string | number | null | undefined;
  readonly immediate_response?: string | undefined;
  readonly context?: JsonObject;
  readonly variables?: JsonObject;
}

export interface TaskPage {
  readonly tasks: readonly TaskRecord[];
  readonly next_cursor: string | null;
}

export interface WaitOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called with the task now and at every change. When it returns true, the wait ends before the task has ended. */
  readonly until?: ((task: TaskRecord) => boolean) | undefined;
}

/** All operations on tasks. An operation with an owner finds only the tasks of that owner. */
export interface Tasks extends AsyncDisposable {
  readonly limits: TaskLimits;
  readonly store: TaskStore;
  /** Returns true when this runtime has a tool of this name. */
  readonly knows: (tool: string) => boolean;
  /** Creates a task; durable when it resolves. The work starts here, or in any process with a free worker. */
  readonly create: (request: TaskRequest) => Promise<TaskRecord>;
  readonly get: (owner_id: string, task_id: string) => Promise<TaskRecord>;
  readonly list: (owner_id: string, page?: { readonly cursor?: string; readonly limit?: number }) => Promise<TaskPage>;
  /** Cancels a task. Rejects when the task has already ended. */
  readonly cancel: (owner_id: string, task_id: string, message?: string) => Promise<TaskRecord>;
  /** Takes answers by key. Answers to unknown or already answered questions are ignored. */
  readonly answer: (
    owner_id: string,
    task_id: string,
    answers: Readonly<Record<string, JsonObject>>,
  ) => Promise<TaskRecord>;
  readonly updateStatus: (
    owner_id: string,
    task_id: string,
    status: TaskStatus,
    message?: string,
  ) => Promise<TaskRecord>;
  readonly setVariables: (owner_id: string, task_id: string, patch: JsonObject) => Promise<TaskRecord>;
  readonly setResult: (owner_id: string, task_id: string, result: JsonObject) => Promise<TaskRecord>;
  /** Returns the outcome. Rejects when the task has not ended. */
  readonly getResult: (owner_id: string, task_id: string) => Promise<Outcome>;
  /** Sets status and result in one atomic step. */
  readonly completeWithResult: (owner_id: string, task_id: string, result: JsonObject) => Promise<TaskRecord>;
  readonly requireInput: (owner_id: string, task_id: string, key: string, request: InputRequest) => Promise<TaskRecord>;
  /**
   * Resolves when the task has ended, in any process. Rejects with `not_found` when the task expires before that, and
   * with `store_unavailable` when this runtime closes.
   */
  readonly wait: (owner_id: string, task_id: string, options?: WaitOptions) => Promise<TaskRecord>;
  /**
   * Calls the listener now and at every change that is seen, until the task has ended or expired (null) or the
   * returned function is called. Several changes between two reads lead to one call.
   */
  readonly watch: (owner_id: string, task_id: string, listener: (task: TaskRecord | null) => void) => () => void;
  readonly cleanupExpired: () => Promise<number>;
  /** Stops claiming tasks, gives running ones `grace_ms` to end, hands the rest back, and closes the store. */
  readonly close: (options?: { readonly grace_ms?: number }) => Promise<void>;
}

/** The operations of requestors: all that is needed to answer a client. */
export type ClientTasks = Pick<Tasks, 'limits' | 'create' | 'get' | 'list' | 'cancel' | 'answer' | 'wait' | 'watch'>;
