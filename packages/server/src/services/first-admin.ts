import { say } from '#advice';
import type { BrowserPlace } from '#domain/sign-in';
import { ErrandError } from '#errors';
import { endSessions, openSession } from './browser-sessions.ts';
import { hashPassword } from './password-hash.ts';
import type { Ports } from './ports.ts';
import { hashOfKey, unknownKey } from './sign-ins.ts';
import { type IssuedToken, mustBeActiveUser } from './tokens.ts';
import type { ReadWork, WriteWork } from './work.ts';

export interface FirstAdmin extends BrowserPlace {
  readonly key: string;
  readonly name: string;
}

/** The link of a new server: its first admin chooses a name and a password. It ends when anyone has a password. */
export function createFirstAdmin({ ids, password_cost }: Pick<Ports, 'ids' | 'password_cost'>) {
  async function mustBeFirst({ tx, caller }: ReadWork): Promise<void> {
    if (!(await tx.passwords.exist(caller.workspace_id))) return;
    throw new ErrandError('conflict', 'This server has an admin with a password already.', {
      hint: say`Sign in with it, or make a link that signs you in: ${{ command: 'open' }}.`,
    });
  }

  return {
    /** Hashes the password, for a link that works: a caller without one cannot make the server work. */
    hash: async (work: ReadWork, key: string, password: string): Promise<string> => {
      await mustBeFirst(work);
      if (!(await work.tx.signInKeys.has(work.caller.workspace_id, hashOfKey(key)))) throw unknownKey();
      return hashPassword(password, password_cost);
    },

    begin: async (work: WriteWork, { key, name, ...place }: FirstAdmin, hash: string): Promise<IssuedToken> => {
      const { tx, caller } = work;
      const { workspace_id } = caller;
      await mustBeFirst(work);
      const known = await tx.signInKeys.take(workspace_id, hashOfKey(key));
      if (known === null) throw unknownKey();
      const user = await mustBeActiveUser(work, known.user_id);
      // The link of a member signs in, and gives no rights.
      if (user.role !== 'admin') throw unknownKey();
      await tx.users.update({ ...user, name: name.trim() });
      await tx.passwords.put({ user_id: user.id, workspace_id, hash, changed_at: tx.now });
      // Links of earlier starts would sign others in as this admin, or have done so already.
      await tx.signInKeys.trim(workspace_id, user.id, 0);
      await endSessions(work, user.id, null);
      return openSession(work, ids, { user_id: user.id, place });
    },
  };
}
