import type { UserId, WorkspaceId } from '#domain/ids';
import type { ServerRow, SignInKey } from '#domain/sign-in';

export interface SignInReads {
  readonly signInKeys: {
    /** Whether a key has this hash and has not expired. */
    readonly has: (workspace: WorkspaceId, hash: string) => Promise<boolean>;
  };
  /** The servers of this database. */
  readonly servers: {
    /** Those whose lease is not over by the store's clock, the one announced last first. */
    readonly live: () => Promise<readonly ServerRow[]>;
  };
}

export interface SignInWrites {
  readonly servers: SignInReads['servers'] & {
    readonly put: (server: ServerRow) => Promise<void>;
    readonly remove: (id: string) => Promise<void>;
    /** Forgets those whose lease ended before this time. */
    readonly sweep: (before: number) => Promise<number>;
  };
  readonly signInKeys: SignInReads['signInKeys'] & {
    readonly insert: (key: SignInKey) => Promise<void>;
    /** The key with this hash, which is gone afterwards; null when there is none, or it expired. Of two who ask, one gets it. */
    readonly take: (workspace: WorkspaceId, hash: string) => Promise<SignInKey | null>;
    /** Forgets expired keys, and of this user's all but the newest so many. */
    readonly trim: (workspace: WorkspaceId, user: UserId, kept: number) => Promise<void>;
  };
}
