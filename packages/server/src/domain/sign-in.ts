import type { UserId, WorkspaceId } from './ids.ts';
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

/** A server of this database, as it announced itself. */
export interface ServerRow {
  readonly id: string;
  readonly host_name: string;
  readonly url: string;
  /** The server counts as running until this time. */
  readonly lease_until: number;
}
