import { say } from '#advice';
import type { UserId } from '#domain/ids';
import { type BrowserPlace, browserScopes, type Password } from '#domain/sign-in';
import { ErrandError } from '#errors';
import { endSessions, openSession, ownSession } from './browser-sessions.ts';
import { createOwnGuesses } from './own-guesses.ts';
import { hashPassword, isPassword } from './password-hash.ts';
import type { Ports } from './ports.ts';
import { type IssuedToken, mayHandOut, mustBeActiveUser } from './tokens.ts';
import type { ReadWork, WriteWork } from './work.ts';

/** Equal for an unknown name and a wrong password, so that nobody learns which names there are. */
const wrong = (): ErrandError =>
  new ErrandError('unauthenticated', 'The name or the password is wrong.', {
    hint: say`An admin sets a new one: ${{ command: 'user password' }}.`,
  });

/** A password that was checked outside of the transaction. */
interface Checked {
  readonly password: Password;
}

/** A hash that was made outside of the transaction, and what it was based on. */
interface Hashed {
  readonly hash: string;
  readonly before: Password | null;
}

const isSame = (a: Password | null, b: Password | null): boolean => a?.hash === b?.hash;

/** Signing in with a password, and setting it. Hashing takes long, so it is done before the transaction. */
export function createPasswords({ ids, clock, password_cost }: Pick<Ports, 'ids' | 'clock' | 'password_cost'>) {
  const guesses = createOwnGuesses(clock);

  async function put(work: WriteWork, user_id: UserId, { hash, before }: Hashed): Promise<void> {
    const { tx, caller, changed } = work;
    const { workspace_id } = caller;
    const { name } = await mustBeActiveUser(work, user_id);
    const namesake = await tx.passwords.ofName(workspace_id, name);
    if (namesake !== null && namesake.user_id !== user_id) {
      throw new ErrandError('conflict', `Another user called ${JSON.stringify(name)} signs in with a password.`, {
        hint: say`Give one of them another name first: ${{ command: 'user update' }}.`,
      });
    }
    if (!isSame(await tx.passwords.find(workspace_id, user_id), before)) {
      throw new ErrandError('conflict', 'The password was changed meanwhile. Try again.');
    }
    await tx.passwords.put({ user_id, workspace_id, hash, changed_at: tx.now });
    // A browser that was signed in with the old password is signed out, and no earlier link signs it in.
    await endSessions(work, user_id, caller.user_id === user_id ? caller.token_id : null);
    await tx.signInKeys.trim(workspace_id, user_id, 0);
    changed(before && { changed_at: before.changed_at }, { changed_at: tx.now });
  }

  return {
    /** Checks a name and a password. An unknown name takes as long as a wrong password. */
    check: async ({ tx, caller }: ReadWork, name: string, password: string): Promise<Checked> => {
      const known = await tx.passwords.ofName(caller.workspace_id, name.trim());
      if (!(await isPassword(password, known?.hash ?? null, password_cost)) || known === null) throw wrong();
      return { password: known };
    },

    signIn: async (work: WriteWork, { password }: Checked, place: BrowserPlace): Promise<IssuedToken> => {
      const { tx, caller } = work;
      if (!isSame(await tx.passwords.find(caller.workspace_id, password.user_id), password)) throw wrong();
      return openSession(work, ids, { user_id: password.user_id, place });
    },

    hash: async ({ tx, caller }: ReadWork, user_id: UserId, password: string): Promise<Hashed> => ({
      hash: await hashPassword(password, password_cost),
      before: await tx.passwords.find(caller.workspace_id, user_id),
    }),

    /** Sets the password of anyone. The password gives all rights of the person. */
    set: async (work: WriteWork, user_id: UserId, hashed: Hashed): Promise<void> => {
      const { role } = await mustBeActiveUser(work, user_id);
      mayHandOut(work.caller, browserScopes(role));
      await put(work, user_id, hashed);
    },

    put,

    /** The same for one's own: by a signed-in browser, with the password that it replaces. */
    hashOwn: async (work: ReadWork, current: string | undefined, password: string): Promise<Hashed> => {
      const { tx, caller } = work;
      // A token with few rights could otherwise get all rights of its person.
      if ((await ownSession(work)) === null) {
        throw new ErrandError('insufficient_scope', 'Only a signed-in browser changes its own password.', {
          hint: say`An admin sets the password of anyone: ${{ command: 'user password' }}.`,
        });
      }
      guesses.begin(caller.user_id);
      const before = await tx.passwords.find(caller.workspace_id, caller.user_id);
      if (before !== null && !(await isPassword(current ?? '', before.hash, password_cost))) {
        throw new ErrandError('unauthorized', 'The current password is wrong.', {
          hint: say`Send it in ${{ field: 'current' }}.`,
        });
      }
      guesses.right(caller.user_id);
      return { hash: await hashPassword(password, password_cost), before };
    },

    exist: ({ tx, caller }: ReadWork): Promise<boolean> => tx.passwords.exist(caller.workspace_id),
  };
}
