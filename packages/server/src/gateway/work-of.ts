import { NO_CLIENT_FACTS } from '#domain/client-facts';
import type { ProjectId } from '#domain/ids';
import type { ProjectRights, Within } from '#domain/reach';
import type { ReadWork, TrackerWork } from '#services/work';
import type { Reads, Store } from '#store/store';
import type { Settled } from './admit.ts';
import type { Changes } from './audit.ts';
import { authorizeProject, reachable } from './authorize.ts';
import { type Keyed, operationId } from './once.ts';

/** The context of a tool that reads. */
export const readWork = ({ call, subject, needed }: Settled, tx: Reads): ReadWork => ({
  caller: call.caller,
  subject,
  tx,
  // Computed on demand: most calls are about no project.
  get within(): Within {
    return reachable(call.caller, needed);
  },
  // Created on demand: only calls that wait need it.
  get signal(): AbortSignal | undefined {
    return call.signal;
  },
  rightsIn: (project: ProjectId): ProjectRights => authorizeProject(call, needed, project),
});

interface Changing<Tx extends Reads> {
  readonly tx: Tx;
  readonly keyed: Keyed | null;
  readonly changes: Changes;
  readonly randomId: () => string;
  readonly transaction: Store['transaction'];
}

/** The context of a tool that writes. Written out, because a spread would compute `within` at once. */
export const changeWork = <Tx extends Reads>(
  { call, subject, needed }: Settled,
  { tx, keyed, changes, randomId, transaction }: Changing<Tx>,
): TrackerWork & { readonly tx: Tx } => ({
  caller: call.caller,
  subject,
  tx,
  get within(): Within {
    return reachable(call.caller, needed);
  },
  get signal(): AbortSignal | undefined {
    return call.signal;
  },
  rightsIn: (project: ProjectId): ProjectRights => {
    const rights = authorizeProject(call, needed, project);
    changes.enter(project);
    return rights;
  },
  client_facts: call.client_facts ?? NO_CLIENT_FACTS,
  changed: changes.changed,
  transaction,
  get operation_id(): string {
    return keyed === null ? randomId() : operationId(keyed);
  },
});
