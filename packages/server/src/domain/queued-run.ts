import type { AttemptId, RunId, SessionId, TokenId } from './ids.ts';
import type { Run } from './run.ts';

/** What the queue knows of a run that Errand starts: the job for its worker, who holds it, and its process. */
export interface QueueEntry {
  readonly execution_id: RunId;
  readonly attempt_id: AttemptId;
  readonly session_id: SessionId;
  readonly executor: string;
  readonly variant: string | null;
  readonly prompt: string;
  /** Raised whenever another worker takes the run. Writes of an earlier worker are refused. */
  readonly epoch: number;
  /** The worker that has the run; null while it is queued. */
  readonly worker_id: string | null;
  readonly lease_until: number | null;
  readonly host_id: string | null;
  /** Set before the process is started. A run with this mark is never started again. */
  readonly spawned_at: number | null;
  /** Distinguishes the process from a later one with the same pid. */
  readonly boot_id: string | null;
  readonly pid: number | null;
  readonly pid_started: string | null;
  readonly stop_requested_at: number | null;
  /** Why it is stopped; null with a time of the request: a person stopped it. */
  readonly stop_reason: 'stopped' | 'budget_exceeded' | 'steered' | null;
  /** The token of this run. */
  readonly token_id: TokenId | null;
}

/** A run of Errand's own with its entry in the queue. */
export interface QueuedRun extends QueueEntry {
  readonly run: Run;
}
