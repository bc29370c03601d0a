import { type ClientFacts, NO_CLIENT_FACTS } from '#domain/client-facts';
import type { ProjectId, UserId } from '#domain/ids';
import type { ProjectRights, Within } from '#domain/reach';
import type { ReadWork, TrackerWork } from '#services/work';
import type { Reads, Store } from '#store/store';
import type { Settled } from './admit.ts';
import type { Changes } from './audit.ts';
import { authorizeProject, reachable } from './authorize.ts';
import { type Keyed, operationId } from './once.ts';

/**
 * Classes, because their getters are shared. An object with getters of its own has a hidden class of its own, which leads
 * to the whole request: none of it would be freed before the next full garbage collection.
 */
class Reading<Tx extends Reads> implements ReadWork {
  readonly caller: ReadWork['caller'];
  readonly subject: UserId;
  readonly tx: Tx;
  readonly settled: Settled;

  constructor(settled: Settled, tx: Tx) {
    this.caller = settled.call.caller;
    this.subject = settled.subject;
    this.tx = tx;
    this.settled = settled;
  }

  /** Computed on demand: most calls are about no project. */
  get within(): Within {
    return reachable(this.caller, this.settled.needed);
  }

  /** Created on demand: only calls that wait need it. */
  get signal(): AbortSignal | undefined {
    return this.settled.call.signal;
  }

  readonly rightsIn = (project: ProjectId): ProjectRights =>
    authorizeProject(this.settled.call, this.settled.needed, project);
}

interface Changing<Tx extends Reads> {
  readonly tx: Tx;
  readonly keyed: Keyed | null;
  readonly changes: Changes;
  readonly randomId: () => string;
  readonly transaction: Store['transaction'];
}

class Writing<Tx extends Reads> extends Reading<Tx> implements TrackerWork {
  readonly client_facts: ClientFacts;
  readonly changed: Changes['changed'];
  readonly transaction: Store['transaction'];
  readonly changing: Changing<Tx>;

  constructor(settled: Settled, changing: Changing<Tx>) {
    super(settled, changing.tx);
    this.client_facts = settled.call.client_facts ?? NO_CLIENT_FACTS;
    this.changed = changing.changes.changed;
    this.transaction = changing.transaction;
    this.changing = changing;
  }

  override readonly rightsIn = (project: ProjectId): ProjectRights => {
    const rights = authorizeProject(this.settled.call, this.settled.needed, project);
    this.changing.changes.enter(project);
    return rights;
  };

  get operation_id(): string {
    const { keyed, randomId } = this.changing;
    return keyed === null ? randomId() : operationId(keyed);
  }
}

/** The context of a tool that reads. */
export const readWork = (settled: Settled, tx: Reads): ReadWork => new Reading(settled, tx);

/** The context of a tool that writes. */
export const changeWork = <Tx extends Reads>(
  settled: Settled,
  changing: Changing<Tx>,
): TrackerWork & { readonly tx: Tx } => new Writing(settled, changing);
