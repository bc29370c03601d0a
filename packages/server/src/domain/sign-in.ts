import type { UserId, WorkspaceId } from './ids.ts';
import type { Scope } from './scope.ts';

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

/** A browser reads and writes tasks, and administers nothing. */
export const BROWSER_SCOPES: readonly Scope[] = ['todo:read', 'todo:write', 'board:read'];
export const BROWSER_SESSION_MS = 30 * 24 * 60 * 60 * 1000;

/** A server of this database, as it announced itself. */
export interface ServerRow {
  readonly id: string;
  readonly host_name: string;
  readonly url: string;
  /** The server counts as running until this time. */
  readonly lease_until: number;
}
