import { type Hint, textOf, type Words } from './advice.ts';

/** Every failure that a caller can get: its HTTP status, and whether the same call may succeed later. */
export const ERRORS = {
  validation_error: { status: 400, retryable: false },
  ambiguous: { status: 400, retryable: false },
  unauthenticated: { status: 401, retryable: false },
  insufficient_scope: { status: 403, retryable: false },
  unauthorized: { status: 403, retryable: false },
  project_not_granted: { status: 403, retryable: false },
  move_not_granted: { status: 403, retryable: false },
  forbidden_host: { status: 403, retryable: false },
  cross_site: { status: 403, retryable: false },
  not_found: { status: 404, retryable: false },
  unknown_tool: { status: 404, retryable: false },
  membership_managed_externally: { status: 403, retryable: false },
  method_not_allowed: { status: 405, retryable: false },
  conflict: { status: 409, retryable: false },
  version_conflict: { status: 409, retryable: false },
  completion_blocked: { status: 409, retryable: false },
  no_session: { status: 409, retryable: false },
  task_blocked: { status: 409, retryable: false },
  claim_lost: { status: 409, retryable: false },
  run_in_progress: { status: 409, retryable: false },
  merge_in_progress: { status: 409, retryable: true },
  budget_exceeded: { status: 409, retryable: false },
  executor_unavailable: { status: 409, retryable: false },
  idempotency_key_conflict: { status: 409, retryable: false },
  idempotency_key_in_progress: { status: 409, retryable: true },
  payload_too_large: { status: 413, retryable: false },
  unsupported_media_type: { status: 415, retryable: false },
  rate_limited: { status: 429, retryable: true },
  schema_outdated: { status: 409, retryable: false },
  internal: { status: 500, retryable: false },
  database_damaged: { status: 500, retryable: false },
  database_replaced: { status: 500, retryable: false },
  no_worker: { status: 503, retryable: true },
  not_reachable: { status: 503, retryable: true },
  server_not_running: { status: 503, retryable: true },
  overloaded: { status: 503, retryable: true },
  tracker_unavailable: { status: 503, retryable: true },
  database_error: { status: 503, retryable: true },
} as const;

export type ErrorCode = keyof typeof ERRORS;

const FAULTS: ReadonlySet<string> = new Set<ErrorCode>([
  'internal',
  'database_damaged',
  'database_replaced',
  'database_error',
  'overloaded',
  'tracker_unavailable',
]);

/** Whether a code means that the server failed. All others tell callers that they asked for what cannot be. */
export const isFault = (code: string): boolean => FAULTS.has(code);

export interface ErrorExtras {
  /** Machine-readable facts: the field at fault, the values it takes. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** What to do next, when the message alone does not say it. */
  readonly hint?: Hint;
  readonly retry_after_ms?: number;
  readonly cause?: unknown;
}

/** A failure whose message is meant for the caller. Any other thrown error becomes `internal`. */
export class ErrandError extends Error {
  override readonly name = 'ErrandError';
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  /** The message with its names as data. In `message` and `hint` tools have their full names. */
  readonly words: Words;
  readonly hint: string | undefined;
  /** The hint with its names as data, sentence by sentence. */
  readonly advice: readonly Words[] | undefined;
  readonly retry_after_ms: number | undefined;

  constructor(code: ErrorCode, message: Words, extras: ErrorExtras = {}) {
    super(textOf(message), extras.cause === undefined ? undefined : { cause: extras.cause });
    this.code = code;
    this.words = message;
    this.details = extras.details;
    this.advice = extras.hint === undefined ? undefined : sentencesOf(extras.hint);
    this.hint = this.advice?.map((words) => textOf(words)).join(' ');
    this.retry_after_ms = extras.retry_after_ms;
  }
}

const sentencesOf = (hint: Hint): readonly Words[] => (typeof hint === 'string' || 'parts' in hint ? [hint] : hint);

const DATABASE_CODES = ['database_error', 'database_damaged', 'database_replaced'] as const;

/** A failure of the database itself: it is away, damaged or was moved. The call is not at fault. */
export type DatabaseError = ErrandError & { readonly code: (typeof DATABASE_CODES)[number] };

export const isDatabaseError = (error: unknown): error is DatabaseError =>
  error instanceof ErrandError && DATABASE_CODES.some((code) => code === error.code);
