import type { TaskContext } from './context.ts';
import type { JsonObject } from './json.ts';
import type { TaskLimits } from './limits.ts';
import type { TaskStore } from './store.ts';
import type { InputRequest, Outcome, TaskRecord, TaskStatus } from './task.ts';

/** Does the work of one tool; what it resolves to is the tool's result. */
export type TaskHandler = (task: TaskContext) => Promise<JsonObject>;

export interface TaskTool {
  readonly run: TaskHandler;
  /** False for work that must not be started a second time when its worker died: such a task fails instead. */
  readonly resumable?: boolean;
}

export interface WorkerOptions {
  /** Names the worker in leases; random unless given. */
  readonly worker_id?: string;
  /** Tasks that are started at once. Those that wait for input do not count, and go on at once when they are answered. */
  readonly concurrency?: number;
  /** How long a task stays with a worker that gives no sign of life; a sign is given every third of it. */
  readonly lease_ms?: number;
  /**
   * Starts of one task before it fails, so that one that kills its workers does not go on for ever. One that a worker
   * handed back when it closed does not count.
   */
  readonly max_attempts?: number;
}

export interface TasksOptions {
  readonly store: TaskStore;
  /** What workers can do, by the name of the tool. */
  readonly tools: Readonly<Record<string, TaskHandler | TaskTool>>;
  readonly limits?: Partial<TaskLimits>;
  /** False where tasks are made and asked for, but run elsewhere. */
  readonly worker?: WorkerOptions | false;
  /** How often requestors should ask, and how often we look ourselves where no signal comes. */
  readonly poll_interval_ms?: number;
  /** Told of failures that nobody else is told of. */
  readonly report?: (error: unknown, task_id: string | null) => void;
}

export interface TaskRequest {
  readonly owner_id: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  /** `tools/call` unless given. */
  readonly method?: string;
  /** As asked for; undefined takes the default. */
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
  /** Told the task as it is and every change; true ends the waiting before the task has ended. */
  readonly until?: ((task: TaskRecord) => boolean) | undefined;
}

/** Everything that can be done with tasks. Each of the owner's operations finds the owner's tasks only. */
export interface Tasks extends AsyncDisposable {
  readonly limits: TaskLimits;
  readonly store: TaskStore;
  /** Whether a tool of this name is among those that this runtime was given. */
  readonly knows: (tool: string) => boolean;
  /** Durable when it resolves; the work starts here or wherever a worker is free. */
  readonly create: (request: TaskRequest) => Promise<TaskRecord>;
  readonly get: (owner_id: string, task_id: string) => Promise<TaskRecord>;
  readonly list: (owner_id: string, page?: { readonly cursor?: string; readonly limit?: number }) => Promise<TaskPage>;
  /** Rejects for a task that has ended already. */
  readonly cancel: (owner_id: string, task_id: string, message?: string) => Promise<TaskRecord>;
  /** Takes answers by key; what was not asked or is answered already is left alone. */
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
  /** Rejects for a task that has not ended. */
  readonly getResult: (owner_id: string, task_id: string) => Promise<Outcome>;
  /** Status and result in one atomic step. */
  readonly completeWithResult: (owner_id: string, task_id: string, result: JsonObject) => Promise<TaskRecord>;
  readonly requireInput: (owner_id: string, task_id: string, key: string, request: InputRequest) => Promise<TaskRecord>;
  /**
   * Resolves when the task has ended, wherever that happened. Rejects with `not_found` when it expires meanwhile, and
   * with `store_unavailable` when this runtime closes.
   */
  readonly wait: (owner_id: string, task_id: string, options?: WaitOptions) => Promise<TaskRecord>;
  /**
   * Tells the task as it is now, and then at every change that is seen, until it has ended or expired (null) or the
   * returned function is called. Changes between two looks are told once.
   */
  readonly watch: (owner_id: string, task_id: string, listener: (task: TaskRecord | null) => void) => () => void;
  readonly cleanupExpired: () => Promise<number>;
  /** Stops taking tasks, gives running ones `grace_ms` to end, hands the rest back, and closes the store. */
  readonly close: (options?: { readonly grace_ms?: number }) => Promise<void>;
}

/** What requestors can ask of tasks: all that answering a client takes. */
export type ClientTasks = Pick<Tasks, 'limits' | 'create' | 'get' | 'list' | 'cancel' | 'answer' | 'wait' | 'watch'>;
