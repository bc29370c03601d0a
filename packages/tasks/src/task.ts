import type { JsonObject } from './json.ts';

export const TASK_STATUSES = ['working', 'input_required', 'completed', 'failed', 'cancelled'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** An error of the JSON-RPC kind, as the work itself would have answered. */
export interface RpcFault {
  readonly code: number;
  readonly message: string;
  readonly data?: JsonObject;
}

/** How a task ended, in the words of neither generation. */
export type Outcome =
  | { readonly kind: 'result'; readonly result: JsonObject }
  /** The tool itself says that it failed (`isError`): failed for 2025, completed for 2026. */
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
  /** Null until it is answered; the first answer stays. */
  readonly answer: JsonObject | null;
}

export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** Who works on a task, and until when nobody else may. */
export interface Lease {
  readonly worker_id: string;
  /** By the store's clock. */
  readonly until: number;
}

/** Everything that is known of a task. Times are epoch milliseconds of the store's clock. */
export interface TaskRecord {
  readonly task_id: string;
  readonly owner_id: string;
  /** What was asked for, kept whole so that any worker can start it again. */
  readonly request: {
    readonly method: string;
    readonly tool: string;
    readonly arguments: JsonObject;
    readonly progress_token: string | number | null;
  };
  /** What the host needs to run the request again, opaque here: who called, from where. Never a secret. */
  readonly context: JsonObject;
  readonly status: TaskStatus;
  readonly status_message: string | null;
  /** Null exactly as long as the status is not terminal. */
  readonly outcome: Outcome | null;
  /** A result that was handed in before the end; it becomes the outcome when the status becomes `completed`. */
  readonly draft: JsonObject | null;
  /** Questions by key, in the order of asking. A key is never asked twice. */
  readonly inputs: Readonly<Record<string, TaskInput>>;
  readonly variables: JsonObject;
  readonly progress: Progress | null;
  /** What the model may be told right away (2025). */
  readonly immediate_response: string | null;
  /** From creation on; null for without end. */
  readonly ttl_ms: number | null;
  readonly poll_interval_ms: number;
  readonly created_at: number;
  /** The last change that a requestor can see. */
  readonly updated_at: number;
  /** Grows by one with every write. */
  readonly version: number;
  /** Grows by one with every worker that takes the task: what an earlier one still writes is refused. */
  readonly epoch: number;
  /** How many of those gave it back in good order: a server that stops is no sign that the work is at fault. */
  readonly handed_back: number;
  /** How many of those had not begun with its work. */
  readonly unstarted: number;
  readonly lease: Lease | null;
}

export const isTerminal = (status: TaskStatus): boolean => TRANSITIONS[status].length === 0;

/** What may follow a status. A terminal one is followed by nothing. */
export const TRANSITIONS: Readonly<Record<TaskStatus, readonly TaskStatus[]>> = {
  working: ['input_required', 'completed', 'failed', 'cancelled'],
  input_required: ['working', 'completed', 'failed', 'cancelled'],
  completed: [],
  failed: [],
  cancelled: [],
};

export const mayFollow = (from: TaskStatus, to: TaskStatus): boolean => TRANSITIONS[from].includes(to);

/** Null for a task that never expires. */
export const expiresAt = ({ created_at, ttl_ms }: Pick<TaskRecord, 'created_at' | 'ttl_ms'>): number | null =>
  ttl_ms === null ? null : created_at + ttl_ms;

export const isExpired = (record: Pick<TaskRecord, 'created_at' | 'ttl_ms'>, now: number): boolean => {
  const expires_at = expiresAt(record);
  return expires_at !== null && expires_at <= now;
};

/** The questions that still wait for an answer, by key. */
export const openInputs = ({ inputs }: Pick<TaskRecord, 'inputs'>): Readonly<Record<string, InputRequest>> =>
  Object.fromEntries(
    Object.entries(inputs)
      .filter(([, { answer }]) => answer === null)
      .map(([key, { request }]) => [key, request]),
  );
