import type { Caller } from '#domain/caller';
import type { ClientFacts } from '#domain/client-facts';
import type { ProjectId, UserId } from '#domain/ids';
import type { ProjectRights, Within } from '#domain/reach';
import type { Reads, Transaction } from '#store/store';

/** One call in a service: its caller, its user, and its access to the store. */
export interface ReadWork {
  readonly caller: Caller;
  /** The user of the call: the one named in the arguments, or else the caller's own. */
  readonly subject: UserId;
  /** The projects in which the caller may make this call. Everything outside of them is answered as not found. */
  readonly within: Within;
  /** Returns the caller's rights in this project. Throws `project_not_granted`, or `insufficient_scope` for this call. */
  readonly rightsIn: (project: ProjectId) => ProjectRights;
  readonly tx: Reads;
  /** Aborted when the caller is gone; a service that waits stops then. */
  readonly signal?: AbortSignal | undefined;
}

interface ChangeWork extends ReadWork {
  readonly client_facts: ClientFacts;
  /** Records the changed thing before and after (null when there is none): the audit trail keeps digests of both. */
  readonly changed: (before: unknown, after: unknown) => void;
}

export interface WriteWork extends ChangeWork {
  readonly tx: Transaction;
}

/** A change in a tracker. For another system it runs outside of transactions, but may open short ones. */
export interface TrackerWork extends ChangeWork {
  /** Names this one operation: the same when it is repeated with its idempotency key, else different. */
  readonly operation_id: string;
  readonly transaction: <T>(run: (tx: Transaction) => Promise<T>) => Promise<T>;
}
