import type { AttemptId, ProjectId } from '#domain/ids';
import type { InboxKind, InboxRow } from '#domain/inbox';
import type { Within } from '#domain/reach';

export interface InboxQuery {
  /** Only of this project; null for all. */
  readonly project_id: ProjectId | null;
  /** Only of this attempt; null for all. */
  readonly attempt_id: AttemptId | null;
  /** Only what waits for longer than this one; null for the newest. */
  readonly before: Pick<InboxRow, 'since' | 'id'> | null;
  readonly limit: number;
}

/** The read methods about what waits for a person: see `Reads`. */
export interface InboxReads {
  readonly inbox: {
    /** Newest first. */
    readonly list: (within: Within, query: InboxQuery) => Promise<readonly InboxRow[]>;
    /** At most `MAX_INBOX_COUNTED` of each kind. */
    readonly counts: (
      within: Within,
      query: Pick<InboxQuery, 'project_id' | 'attempt_id'>,
    ) => Promise<Readonly<Record<InboxKind, number>>>;
  };
}
