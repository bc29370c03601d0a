import type { TokenId, UserId, WorkspaceId } from './ids.ts';
import { ALL_SCOPES, type Scope } from './scope.ts';
import type { UserRole } from './user.ts';

/** The key of a sign-in link. It works once, and only its hash is stored. */
export interface SignInKey {
  readonly hash: string;
  readonly workspace_id: WorkspaceId;
  readonly user_id: UserId;
  readonly created_at: number;
  readonly expires_at: number;
}

export const SIGN_IN_KEY_MS = 24 * 60 * 60 * 1000;
/** Keys per user. A further key replaces the oldest. */
export const MAX_SIGN_IN_KEYS = 20;

/** Acting for others is for apps. */
const PERSON_SCOPES = ALL_SCOPES.filter((scope) => scope !== 'todo:act_as');

/** A person does in the browser what they may do at all: within their projects everything, and as an admin also administer. */
export const browserScopes = (role: UserRole): readonly Scope[] =>
  role === 'admin' ? PERSON_SCOPES : PERSON_SCOPES.filter((scope) => scope !== 'admin');

export const BROWSER_SESSION_MS = 30 * 24 * 60 * 60 * 1000;
/** Device and address of a session are kept this long after its end: an operator may ask where it was used. */
export const ENDED_SESSIONS_KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** A server of this database, as it announced itself. */
export interface ServerRow {
  readonly id: string;
  readonly host_name: string;
  readonly url: string;
  /** The server counts as running until this time. */
  readonly lease_until: number;
}

/** The password of a person. */
export interface Password {
  readonly user_id: UserId;
  readonly workspace_id: WorkspaceId;
  /** How it was hashed, with which salt, and the hash. */
  readonly hash: string;
  readonly changed_at: number;
}

export const PASSWORD_CHARACTERS = { least: 10, most: 200 } as const;

/** Where a browser is. */
export interface BrowserPlace {
  /** What the browser calls itself. */
  readonly device: string;
  readonly address: string;
}

/** A browser that is signed in. Its token decides until when. */
export interface BrowserSession extends BrowserPlace {
  readonly token_id: TokenId;
  readonly workspace_id: WorkspaceId;
  readonly user_id: UserId;
  readonly created_at: number;
  /** To some minutes: writing it with every request would cost more than the request. */
  readonly seen_at: number;
}

export interface SessionRow extends BrowserSession {
  readonly user_name: string;
  readonly expires_at: number | null;
}

/** The live sessions of a user. A further one ends the one that was not used for longest. */
export const MAX_SESSIONS = 50;
