import type { UserId, WorkspaceId } from '#domain/ids';
import type { ServerRow, SignInKey } from '#domain/sign-in';

export interface SignInReads {
  readonly signInKeys: {
    /** Whether a key has this hash and has not expired. */
    readonly has: (workspace: WorkspaceId, hash: string) => Promise<boolean>;
  };
  /** The servers of this database. */
  readonly servers: {
    /** The servers with a valid lease by the store's clock, the newest first. */
    readonly live: () => Promise<readonly ServerRow[]>;
  };
}

export interface SignInWrites {
  readonly servers: SignInReads['servers'] & {
    readonly put: (server: ServerRow) => Promise<void>;
    readonly remove: (id: string) => Promise<void>;
    /** Deletes the servers whose lease ended before this time. */
    readonly sweep: (before: number) => Promise<number>;
  };
  readonly signInKeys: SignInReads['signInKeys'] & {
    readonly insert: (key: SignInKey) => Promise<void>;
    /** Takes the key with this hash, which deletes it; null when there is none, or it expired. Of two simultaneous callers, one gets it. */
    readonly take: (workspace: WorkspaceId, hash: string) => Promise<SignInKey | null>;
    /** Deletes expired keys, and all but the newest `kept` of this user. */
    readonly trim: (workspace: WorkspaceId, user: UserId, kept: number) => Promise<void>;
  };
}
