import type { TokenId, UserId, WorkspaceId } from '#domain/ids';
import type { BrowserSession, Password, SessionRow } from '#domain/sign-in';

/** The read methods about passwords and browsers that are signed in: see `Reads`. */
export interface SessionReads {
  readonly passwords: {
    readonly find: (workspace: WorkspaceId, user: UserId) => Promise<Password | null>;
    /** The password of the active person with this name, in any case; null when there is none. */
    readonly ofName: (workspace: WorkspaceId, name: string) => Promise<Password | null>;
    /** Whether anyone has a password. */
    readonly exist: (workspace: WorkspaceId) => Promise<boolean>;
  };
  readonly browserSessions: {
    readonly find: (workspace: WorkspaceId, token: TokenId) => Promise<SessionRow | null>;
    /** The sessions whose token is valid, the last used first, at most `limit`; of one user, or of all. */
    readonly live: (workspace: WorkspaceId, user: UserId | null, limit: number) => Promise<readonly SessionRow[]>;
    /** Whether a session expired or was ended longer ago than this, by the store's clock. */
    readonly hasEnded: (ago_ms: number) => Promise<boolean>;
  };
}

/** The write methods about the same. */
export interface SessionWrites {
  readonly passwords: SessionReads['passwords'] & {
    readonly put: (password: Password) => Promise<void>;
  };
  readonly browserSessions: SessionReads['browserSessions'] & {
    readonly insert: (session: BrowserSession) => Promise<void>;
    /** Writes when and from where the browser was last seen. */
    readonly touch: (
      session: Pick<BrowserSession, 'workspace_id' | 'token_id' | 'address' | 'seen_at'>,
    ) => Promise<void>;
    /**
     * Deletes at most `limit` sessions that expired or were ended before this time, and not their tokens. Returns how
     * many.
     */
    readonly sweep: (before: number, limit: number) => Promise<number>;
  };
}
