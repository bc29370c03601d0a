/** Every failure of a task operation, with the JSON-RPC code that both generations give it. */
export const TASK_ERRORS = {
  /** Also for a task of someone else and for one whose time is over: nobody learns that it exists. */
  not_found: -32602,
  invalid_params: -32602,
  invalid_transition: -32602,
  variables_too_large: -32602,
  record_too_large: -32603,
  anonymous: -32602,
  unsupported: -32601,
  quota_exceeded: -32603,
  /** Someone else works on the task by now; whoever gets this must stop. */
  lease_lost: -32603,
  store_unavailable: -32603,
  internal: -32603,
} as const;

export type TaskErrorCode = keyof typeof TASK_ERRORS;

/** A failure whose words are meant for whoever asked. */
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

/** The same words for an unknown task, a foreign one and one that has expired. */
export const taskNotFound = (): TaskError => new TaskError('not_found', 'Task not found.');
