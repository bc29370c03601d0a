import type { Caller } from '#domain/caller';
import type { UserId } from '#domain/ids';
import type { Reads, Transaction } from '#store/store';

/** One call on its way through a service: who makes it, for whom, and what it may see of the store. */
export interface ReadWork {
  readonly caller: Caller;
  /** The user it is about: the one named in the arguments, or else the caller's own. */
  readonly subject: UserId;
  readonly tx: Reads;
}

export interface WriteWork extends ReadWork {
  readonly tx: Transaction;
}
