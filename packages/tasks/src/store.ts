import type { TaskRecord } from './task.ts';

/** A place in the list of an owner's tasks, newest first. */
export interface Position {
  readonly created_at: number;
  readonly task_id: string;
}

/** Something was written; a null id says that signals may have been missed, so look at everything again. */
export interface Signal {
  readonly task_id: string | null;
  /** A worker may take the task now. */
  readonly claimable: boolean;
}

export type Inserted = 'inserted' | 'quota_exceeded' | 'exists';

export type Replaced =
  | { readonly ok: true }
  /** Somebody else wrote first; null when the task is gone, expired or not this owner's. */
  | { readonly ok: false; readonly current: TaskRecord | null };

export interface Claim {
  readonly worker_id: string;
  /** Only tasks of these tools. */
  readonly tools: readonly string[];
  readonly lease_ms: number;
  readonly limit: number;
}

export interface ReplaceOptions {
  /** A write that no requestor can see, such as a heartbeat, wakes nobody. */
  readonly quiet?: boolean;
}

/**
 * What a backend must do. All rules of tasks are above it: a store keeps records, and decides which of two writers
 * was first. Every failure of the backend itself is a `TaskError` with the code `store_unavailable`.
 */
export interface TaskStore extends AsyncDisposable {
  readonly name: string;
  /** The longest record in bytes of JSON that it takes; a longer one is refused with `record_too_large`. */
  readonly max_record_bytes: number;
  /** The store's clock in epoch milliseconds: the same for everybody who shares the store, and never going back. */
  readonly now: () => number;
  /** Durable when it resolves. The quota is of the owner's unfinished, unexpired tasks, counted in the same atomic step. */
  readonly insert: (record: TaskRecord, quota: number) => Promise<Inserted>;
  /** Null when unknown, expired or not this owner's. */
  readonly get: (owner_id: string, task_id: string) => Promise<TaskRecord | null>;
  /**
   * Writes `record` over the one of the same task and owner whose version is `record.version - 1`, in one atomic
   * conditional step; never over an expired one.
   */
  readonly replace: (record: TaskRecord, options?: ReplaceOptions) => Promise<Replaced>;
  /** Unexpired tasks of the owner after the position, newest first (`created_at`, then `task_id`, both descending). Reads its own writes. */
  readonly list: (owner_id: string, after: Position | null, limit: number) => Promise<readonly TaskRecord[]>;
  /**
   * Takes unfinished, unexpired tasks that nobody holds a lease of: version and epoch grow by one, the lease is the
   * claimant's for `lease_ms` from now. No task is ever given to two claimants under one epoch.
   */
  readonly claim: (claim: Claim) => Promise<readonly TaskRecord[]>;
  /** Removes expired tasks, at most `limit`; returns how many. */
  readonly sweep: (limit: number) => Promise<number>;
  /** Removes finished tasks of the owner, the oldest first, until `most` are left; returns how many it removed. */
  readonly trim: (owner_id: string, most: number) => Promise<number>;
  /**
   * Tells of writes by anybody who shares the store, as far as the backend can; of those through this object in any
   * case. Returns the way to stop. Signals may be lost or doubled: readers look again, and poll besides.
   */
  readonly subscribe: (listener: (signal: Signal) => void) => () => void;
  /** For stores that keep files of their own: rejects when changes would be lost, so that a server can say it is not ready. */
  readonly check?: () => Promise<void>;
  readonly close: () => Promise<void>;
}
