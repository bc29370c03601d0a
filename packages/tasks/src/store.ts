import type { TaskRecord } from './task.ts';

/** A position in the list of an owner's tasks, newest first. */
export interface Position {
  readonly created_at: number;
  readonly task_id: string;
}

/** A signal that a task was written. A null id means that signals may be missing, so read all tasks again. */
export interface Signal {
  readonly task_id: string | null;
  /** True when a worker can claim the task now. */
  readonly claimable: boolean;
}

export type Inserted = 'inserted' | 'quota_exceeded' | 'exists';

export type Replaced =
  | { readonly ok: true }
  /** Another writer was first. `current` is null when the task is gone, expired or not this owner's. */
  | { readonly ok: false; readonly current: TaskRecord | null };

export interface Claim {
  readonly worker_id: string;
  /** Only tasks of these tools. */
  readonly tools: readonly string[];
  readonly lease_ms: number;
  readonly limit: number;
}

export interface ReplaceOptions {
  /** True for a write that no requestor can see, such as a heartbeat. It sends no signal. */
  readonly quiet?: boolean;
}

/**
 * The interface of a backend. The rules of tasks are not its concern: a store keeps records, and decides which writer
 * was first. Every failure of the backend is a `TaskError` with the code `store_unavailable`.
 */
export interface TaskStore extends AsyncDisposable {
  readonly name: string;
  /** The largest record in bytes of JSON. A larger one is refused with `record_too_large`. */
  readonly max_record_bytes: number;
  /** The store's clock in epoch milliseconds: the same for all processes that share the store. It never goes back. */
  readonly now: () => number;
  /** Durable when it resolves. `quota` limits the owner's unfinished, unexpired tasks, counted in the same atomic step. */
  readonly insert: (record: TaskRecord, quota: number) => Promise<Inserted>;
  /** Returns the task; null when it is unknown, expired or not this owner's. */
  readonly get: (owner_id: string, task_id: string) => Promise<TaskRecord | null>;
  /**
   * Replaces the record of the same task and owner whose version is `record.version - 1`, in one atomic
   * conditional step. An expired record is never replaced.
   */
  readonly replace: (record: TaskRecord, options?: ReplaceOptions) => Promise<Replaced>;
  /** The owner's unexpired tasks after the position, newest first (`created_at`, then `task_id`, both descending). Reads its own writes. */
  readonly list: (owner_id: string, after: Position | null, limit: number) => Promise<readonly TaskRecord[]>;
  /**
   * Claims unfinished, unexpired tasks without a valid lease: version and epoch grow by one, and the claimant gets the
   * lease for `lease_ms` from now. A task is never given to two claimants under one epoch.
   */
  readonly claim: (claim: Claim) => Promise<readonly TaskRecord[]>;
  /** Removes at most `limit` expired tasks. Returns how many it removed. */
  readonly sweep: (limit: number) => Promise<number>;
  /** Removes finished tasks of the owner, the oldest first, until `most` are left. Returns how many it removed. */
  readonly trim: (owner_id: string, most: number) => Promise<number>;
  /**
   * Signals writes through this object, and, as far as the backend can, writes of all others that share the store.
   * Returns a function that stops it. Signals may be lost or doubled, so readers also poll.
   */
  readonly subscribe: (listener: (signal: Signal) => void) => () => void;
  /** For stores with their own files: rejects when changes would be lost, so that a server can report "not ready". */
  readonly check?: () => Promise<void>;
  readonly close: () => Promise<void>;
}
