import { hash, randomBytes } from 'node:crypto';
import { say } from '#advice';
import type { UserId, WorkspaceId } from '#domain/ids';
import { type BrowserPlace, browserScopes, MAX_SIGN_IN_KEYS, SIGN_IN_KEY_MS } from '#domain/sign-in';
import { ErrandError } from '#errors';
import type { Reads } from '#store/store';
import { openSession } from './browser-sessions.ts';
import type { Ports } from './ports.ts';
import { type IssuedToken, mayHandOut, mustBeActiveUser } from './tokens.ts';
import type { WriteWork } from './work.ts';

/** A new key, with its text, which is not stored. */
export interface IssuedKey {
  readonly key: string;
  readonly user_id: UserId;
  readonly expires_at: number;
}

const KEY_BYTES = 16;

/** The stored form of a key. */
export const hashOfKey = (key: string): string => hash('sha256', key);

export const unknownKey = (): ErrandError =>
  new ErrandError('not_found', 'This sign-in key was used already, or has expired.', {
    hint: say`Make a new link: ${{ command: 'open' }}.`,
  });

/** Links that sign one browser in, on every server of the database. */
export function createSignIns({ ids }: Ports) {
  return {
    create: async (work: WriteWork, user?: UserId): Promise<IssuedKey> => {
      const { tx, caller, changed } = work;
      const { workspace_id } = caller;
      const user_id = user ?? caller.user_id;
      const { role } = await mustBeActiveUser(work, user_id);
      mayHandOut(caller, browserScopes(role));
      const key = randomBytes(KEY_BYTES).toString('base64url');
      const expires_at = tx.now + SIGN_IN_KEY_MS;
      await tx.signInKeys.trim(workspace_id, user_id, MAX_SIGN_IN_KEYS - 1);
      await tx.signInKeys.insert({ hash: hashOfKey(key), workspace_id, user_id, created_at: tx.now, expires_at });
      changed(null, { user_id, expires_at });
      return { key, user_id, expires_at };
    },

    /** Whether `redeem` would accept the key. Anyone may ask with any key, and a read costs less than a write. */
    isKnown: (reads: Pick<Reads, 'signInKeys'>, workspace_id: WorkspaceId, key: string): Promise<boolean> =>
      reads.signInKeys.has(workspace_id, hashOfKey(key)),

    /** Exchanges a key for a browser's token. The key is used up, unless the transaction fails. */
    redeem: async (work: WriteWork, key: string, place: BrowserPlace): Promise<IssuedToken> => {
      const { tx, caller } = work;
      const known = await tx.signInKeys.take(caller.workspace_id, hashOfKey(key));
      if (known === null) throw unknownKey();
      return openSession(work, ids, { user_id: known.user_id, place });
    },
  };
}
