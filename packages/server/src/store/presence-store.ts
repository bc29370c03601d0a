import type { UserId, WorkspaceId } from '#domain/ids';
import type { Presence, PresentPerson } from '#domain/presence';
import type { WorkItem } from '#domain/work-item';

type OfItem = Pick<WorkItem, 'id' | 'workspace_id'>;

/** The read methods about who looks at a task: see `Reads`. */
export interface PresenceReads {
  readonly presence: {
    /** The people who were seen at this time or later, the first to come first, at most `limit`. */
    readonly of: (item: OfItem, seen_from: number, limit: number) => Promise<readonly PresentPerson[]>;
  };
}

/** The write methods about the same. */
export interface PresenceWrites {
  readonly presence: PresenceReads['presence'] & {
    readonly put: (presence: Presence) => Promise<void>;
    readonly drop: (workspace: WorkspaceId, user: UserId, item: OfItem) => Promise<void>;
    /** Deletes rows of those who were last seen before this time. */
    readonly sweep: (before: number) => Promise<void>;
  };
}
