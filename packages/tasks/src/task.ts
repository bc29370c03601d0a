import type { JsonObject } from './json.ts';

export const TASK_STATUSES = ['working', 'input_required', 'completed', 'failed', 'cancelled'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** A JSON-RPC error, as a plain call would have answered. */
export interface RpcFault {
  readonly code: number;
  readonly message: string;
  readonly data?: JsonObject;
}

/** How a task ended, independent of the protocol generation. */
export type Outcome =
  | { readonly kind: 'result'; readonly result: JsonObject }
  /** The tool reports its own failure (`isError`): the status is failed in 2025, completed in 2026. */
  | { readonly kind: 'tool_error'; readonly result: JsonObject }
  | { readonly kind: 'rpc_error'; readonly error: RpcFault }
  | { readonly kind: 'cancelled' };

export const INPUT_METHODS = ['elicitation/create', 'sampling/createMessage', 'roots/list'] as const;

/** A question for the client or its user. */
export interface InputRequest {
  readonly method: (typeof INPUT_METHODS)[number];
  readonly params: JsonObject;
}

export interface TaskInput {
  readonly request: InputRequest;
  /** Null until the question is answered. Later answers do not replace the first. */
  readonly answer: JsonObject | null;
}

export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** The worker that holds a task. Until the lease expires, no other worker can claim the task. */
export interface Lease {
  readonly worker_id: string;
  /** The expiry by the store's clock. */
  readonly until: number;
}

/** The whole record of a task. Times are epoch milliseconds of the store's clock. */
export interface TaskRecord {
  readonly task_id: string;
  readonly owner_id: string;
  /** The whole request, so that any worker can start it again. */
  readonly request: {
    readonly method: string;
    readonly tool: string;
    readonly arguments: JsonObject;
    readonly progress_token: string | number | null;
  };
  /** Data that the host needs to run the request again, such as the caller. It is opaque here, and never a secret. */
  readonly context: JsonObject;
  readonly status: TaskStatus;
  readonly status_message: string | null;
  /** Null if and only if the status is not terminal. */
  readonly outcome: Outcome | null;
  /** A result that was set before the end. It becomes the outcome when the status becomes `completed`. */
  readonly draft: JsonObject | null;
  /** Questions by key, in the order of asking. A key is never asked twice. */
  readonly inputs: Readonly<Record<string, TaskInput>>;
  readonly variables: JsonObject;
  readonly progress: Progress | null;
  /** The text that the model may get at once (2025). */
  readonly immediate_response: string | null;
  /** Milliseconds from creation to expiry; null when the task never expires. */
  readonly ttl_ms: number | null;
  readonly poll_interval_ms: number;
  readonly created_at: number;
  /** The time of the last change that a requestor can see. */
  readonly updated_at: number;
  /** Grows by one with every write. */
  readonly version: number;
  /** Grows by one with every claim, so that late writes of an earlier worker can be refused. */
  readonly epoch: number;
  /** How many workers handed the task back. This is no failed start: the server stopped, the work is not at fault. */
  readonly handed_back: number;
  /** How many workers handed the task back before its handler was started. */
  readonly unstarted: number;
  readonly lease: Lease | null;
}

export const isTerminal = (status: TaskStatus): boolean => TRANSITIONS[status].length === 0;

/** The statuses that may follow a status. None follows a terminal one. */
export const TRANSITIONS: Readonly<Record<TaskStatus, readonly TaskStatus[]>> = {
  working: ['input_required', 'completed', 'failed', 'cancelled'],
  input_required: ['working', 'completed', 'failed', 'cancelled'],
  completed: [],
  failed: [],
  cancelled: [],
};

export const mayFollow = (from: TaskStatus, to: TaskStatus): boolean => TRANSITIONS[from].includes(to);

/** Returns the time of expiry; null for a task that never expires. */
export const expiresAt = ({ created_at, ttl_ms }: Pick<TaskRecord, 'created_at' | 'ttl_ms'>): number | null =>
  ttl_ms === null ? null : created_at + ttl_ms;

export const isExpired = (record: Pick<TaskRecord, 'created_at' | 'ttl_ms'>, now: number): boolean => {
  const expires_at = expiresAt(record);
  return expires_at !== null && expires_at <= now;
};

/** Returns the unanswered questions by key. */
export const openInputs = ({ inputs }: Pick<TaskRecord, 'inputs'>): Readonly<Record<string, InputRequest>> =>
  Object.fromEntries(
    Object.entries(inputs)
      .filter(([, { answer }]) => answer === null)
      .map(([key, { request }]) => [key, request]),
  );
