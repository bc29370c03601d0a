import type { AppUser } from '#domain/app';
import type { Caller } from '#domain/caller';
import type { UserId } from '#domain/ids';
import type { User } from '#domain/user';
import { ErrandError } from '#errors';
import type { AppUsers } from '#services/app-users';
import type { Reads, Store, Transaction } from '#store/store';
import type { Admitted, Settled } from './admit.ts';
import { appUserAdded } from './audit.ts';

interface Needs {
  readonly store: Pick<Store, 'reads' | 'transaction'>;
  readonly appUsers: Pick<AppUsers, 'ensure'>;
}

const notActive = (): ErrandError =>
  new ErrandError('unauthorized', 'user_id names no active user.', {
    hint: 'Ask whom this is for, and name them by their id.',
  });

function activeOnly(user: User | null): UserId {
  if (user?.status !== 'active') throw notActive();
  return user.id;
}

/** The token's own user needs no check. Any other person must exist and be active. Only apps can name users of apps. */
async function person(tx: Reads, caller: Caller, id: UserId): Promise<UserId> {
  if (id === caller.user_id) return id;
  const user = await tx.users.find(caller.workspace_id, id);
  if (user !== null && user.app !== null && caller.kind !== 'local') throw notActive();
  return activeOnly(user);
}

/** Finds the user of a call. An app's user is created by the first call that names them. */
export function createSettle({ store, appUsers }: Needs) {
  async function added(tx: Transaction, admitted: Admitted, named: AppUser): Promise<UserId> {
    const { user, isNew } = await appUsers.ensure(tx, admitted.call.caller.workspace_id, named);
    if (isNew) tx.record(appUserAdded(admitted, user));
    return activeOnly(user);
  }

  return {
    /** For a call that writes, inside its transaction: a new user is rolled back with the call. */
    inTransaction: async (tx: Transaction, admitted: Admitted): Promise<Settled> => {
      const { named, call } = admitted;
      const subject =
        typeof named === 'string' ? await person(tx, call.caller, named) : await added(tx, admitted, named);
      return { ...admitted, subject };
    },

    /** Settles the user of a call that only reads: a new user is added by a separate transaction. */
    outside: async (admitted: Admitted): Promise<Settled> => {
      const { named, call } = admitted;
      if (typeof named === 'string') return { ...admitted, subject: await person(store.reads, call.caller, named) };
      const known = await store.reads.appUsers.find(call.caller.workspace_id, named);
      const subject = known === null ? await store.transaction((tx) => added(tx, admitted, named)) : activeOnly(known);
      return { ...admitted, subject };
    },
  };
}
