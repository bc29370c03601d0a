import type { Caller } from '#domain/caller';
import type { Hints } from '#domain/hints';
import type { ProjectId, UserId } from '#domain/ids';
import type { ProjectRights, Within } from '#domain/reach';
import type { Reads, Transaction } from '#store/store';

/** One call on its way through a service: who makes it, for whom, and what it may see of the store. */
export interface ReadWork {
  readonly caller: Caller;
  /** The user it is about: the one named in the arguments, or else the caller's own. */
  readonly subject: UserId;
  /** The projects in which the caller may make this call. Everything outside of them is answered as not found. */
  readonly within: Within;
  /** What the caller may do in this project. Throws `project_not_granted`, or `insufficient_scope` for this very call. */
  readonly rightsIn: (project: ProjectId) => ProjectRights;
  readonly tx: Reads;
  /** Aborted when the caller is gone; a service that waits stops then. */
  readonly signal?: AbortSignal | undefined;
}

interface ChangeWork extends ReadWork {
  readonly hints: Hints;
  /** Says what was changed, as it was and as it is (null for nothing): the audit trail keeps a digest of both. */
  readonly changed: (before: unknown, after: unknown) => void;
}

export interface WriteWork extends ChangeWork {
  readonly tx: Transaction;
}

/** A change in a tracker, which may be another system: then it runs outside of any transaction, but may open short ones. */
export interface TrackerWork extends ChangeWork {
  /** Names this one operation: the same when it is repeated with its idempotency key, and different otherwise. */
  readonly operation_id: string;
  readonly transaction: <T>(run: (tx: Transaction) => Promise<T>) => Promise<T>;
}
