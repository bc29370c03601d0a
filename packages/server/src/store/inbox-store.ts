import type { ProjectId } from '#domain/ids';
import type { InboxKind, InboxRow } from '#domain/inbox';
import type { Within } from '#domain/reach';

export interface InboxQuery {
  /** Only of this project; null for all. */
  readonly project_id: ProjectId | null;
  /** Only what waits for longer than this one; null for the newest. */
  readonly before: Pick<InboxRow, 'since' | 'id'> | null;
  readonly limit: number;
}

/** The read methods about what waits for a person: see `Reads`. */
export interface InboxReads {
  readonly inbox: {
    /** Newest first. */
    readonly list: (within: Within, query: InboxQuery) => Promise<readonly InboxRow[]>;
    readonly counts: (
      within: Within,
      query: Pick<InboxQuery, 'project_id'>,
    ) => Promise<Readonly<Record<InboxKind, number>>>;
  };
}
