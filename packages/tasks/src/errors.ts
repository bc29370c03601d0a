/** All failures of task operations, with the JSON-RPC code that both protocol generations use. */
export const TASK_ERRORS = {
  /** Also for the task of another owner and for an expired one, so that nobody learns that the task exists. */
  not_found: -32602,
  invalid_params: -32602,
  invalid_transition: -32602,
  variables_too_large: -32602,
  record_too_large: -32603,
  anonymous: -32602,
  unsupported: -32601,
  quota_exceeded: -32603,
  /** Another worker has claimed the task. The worker that gets this error must stop. */
  lease_lost: -32603,
  store_unavailable: -32603,
  internal: -32603,
} as const;

export type TaskErrorCode = keyof typeof TASK_ERRORS;

/** A failure whose message is meant for the caller. */
export class TaskError extends Error {
  override readonly name = 'TaskError';
  readonly code: TaskErrorCode;

  constructor(code: TaskErrorCode, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.code = code;
  }

  get rpc_code(): number {
    return TASK_ERRORS[this.code];
  }
}

export const isAway = (error: unknown): boolean => error instanceof TaskError && error.code === 'store_unavailable';

/** The message is the same for an unknown task, a task of another owner and an expired one. */
export const taskNotFound = (): TaskError => new TaskError('not_found', 'Task not found.');
