import { say } from '#advice';
import { isProgram } from '#domain/caller';
import type { TokenId, UserId } from '#domain/ids';
import { BROWSER_SESSION_MS, type BrowserPlace, browserScopes, MAX_SESSIONS, type SessionRow } from '#domain/sign-in';
import { ErrandError } from '#errors';
import type { Ports } from './ports.ts';
import { type IssuedToken, issueToken, mayHandOut, mustBeActiveUser, withoutHash } from './tokens.ts';
import type { ReadWork, WriteWork } from './work.ts';

const MAX_LISTED = 200;
const MAX_DEVICE_CHARACTERS = 300;
const MAX_ADDRESS_CHARACTERS = 64;

/** Signs a browser in: a token with the rights of the person, and the place for the list of sessions. */
export async function openSession(
  work: WriteWork,
  ids: Ports['ids'],
  { user_id, place }: { readonly user_id: UserId; readonly place: BrowserPlace },
): Promise<IssuedToken> {
  const { tx, caller, changed } = work;
  const { workspace_id } = caller;
  const { role } = await mustBeActiveUser(work, user_id);
  const scopes = browserScopes(role);
  mayHandOut(caller, scopes);
  const known = await tx.browserSessions.live(workspace_id, user_id, MAX_SESSIONS);
  for (const { token_id } of known.slice(MAX_SESSIONS - 1)) await tx.tokens.revoke(workspace_id, token_id, tx.now);
  const issued = await issueToken(tx, ids, {
    workspace_id,
    kind: 'user',
    name: 'Browser',
    user_id,
    agent_id: null,
    scopes,
    acts_for: 'self',
    expires_at: tx.now + BROWSER_SESSION_MS,
  });
  await tx.browserSessions.insert({
    token_id: issued.token.id,
    workspace_id,
    user_id,
    device: place.device.slice(0, MAX_DEVICE_CHARACTERS),
    address: place.address.slice(0, MAX_ADDRESS_CHARACTERS),
    created_at: tx.now,
    seen_at: tx.now,
  });
  changed(null, withoutHash(issued.token));
  return issued;
}

/** Ends the sessions of a user, but for one. */
export async function endSessions({ tx, caller }: WriteWork, user_id: UserId, kept: TokenId | null): Promise<void> {
  const sessions = await tx.browserSessions.live(caller.workspace_id, user_id, MAX_SESSIONS);
  for (const { token_id } of sessions) {
    if (token_id !== kept) await tx.tokens.revoke(caller.workspace_id, token_id, tx.now);
  }
}

/** The session of the browser that calls; null for another caller. */
export const ownSession = async ({ tx, caller }: ReadWork): Promise<SessionRow | null> =>
  caller.token_id === null ? null : tx.browserSessions.find(caller.workspace_id, caller.token_id);

const isAdmin = ({ caller }: ReadWork): boolean => caller.scopes.has('admin');

function mustBePerson({ caller }: ReadWork): void {
  if (!isProgram(caller) && caller.kind !== 'service') return;
  throw new ErrandError('insufficient_scope', 'Sessions are for people: agents and apps have tokens.');
}

const noSession = (id: string): ErrandError =>
  new ErrandError('not_found', `No session ${id}.`, { hint: say`${{ call: 'admin_list_sessions' }} for ids.` });

/** The browsers that are signed in: each person's own, and for admins everyone's. */
export function createBrowserSessions() {
  return {
    list: async (work: ReadWork, user: UserId | 'all' | undefined): Promise<readonly SessionRow[]> => {
      mustBePerson(work);
      const { tx, caller } = work;
      if (user !== undefined && user !== caller.user_id && !isAdmin(work)) {
        throw new ErrandError('insufficient_scope', 'Only an admin sees the sessions of others.', {
          details: { required_scope: 'admin' },
        });
      }
      return tx.browserSessions.live(caller.workspace_id, user === 'all' ? null : (user ?? caller.user_id), MAX_LISTED);
    },

    end: async (work: WriteWork, id: TokenId): Promise<void> => {
      mustBePerson(work);
      const { tx, caller, changed } = work;
      const session = await tx.browserSessions.find(caller.workspace_id, id);
      // The session of another reads like one that does not exist.
      if (session === null || (session.user_id !== caller.user_id && !isAdmin(work))) throw noSession(id);
      await tx.tokens.revoke(caller.workspace_id, id, tx.now);
      changed(session, null);
    },
  };
}
