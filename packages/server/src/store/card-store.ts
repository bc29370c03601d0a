import type { BoardRow } from '#domain/attempt';
import type { CardParts, CardPlace, ColumnCount } from '#domain/card';
import type { ProjectId, StateId, WorkItemId, WorkspaceId } from '#domain/ids';
import type { Within } from '#domain/reach';

export interface ColumnQuery {
  readonly workspace_id: WorkspaceId;
  readonly project_id: ProjectId;
  readonly state_id: StateId;
  /** Ended tasks come newest first, the others in the order in which people left them. */
  readonly is_ended: boolean;
  /** Only cards after this one; null for the first. */
  readonly after: CardPlace | null;
  readonly limit: number;
}

/** The read methods about the cards of a board: see `Reads`. */
export interface CardReads {
  readonly cards: {
    readonly counts: (workspace: WorkspaceId, project: ProjectId) => Promise<readonly ColumnCount[]>;
    readonly column: (query: ColumnQuery) => Promise<readonly CardPlace[]>;
    /** Tasks with a question that waits for an answer, at most `limit`. */
    readonly needing: (workspace: WorkspaceId, project: ProjectId, limit: number) => Promise<readonly WorkItemId[]>;
    /** The sub-tasks of a task in the order in which they were made, at most `limit`. */
    readonly children: (workspace: WorkspaceId, parent: WorkItemId, limit: number) => Promise<readonly WorkItemId[]>;
    /** The parents of these tasks, and the tasks that wait for them, at most `limit`. */
    readonly related: (
      workspace: WorkspaceId,
      tasks: readonly WorkItemId[],
      limit: number,
    ) => Promise<readonly WorkItemId[]>;
    /** The rows of these tasks, as far as they are visible; in no order. */
    readonly rows: (within: Within, ids: readonly WorkItemId[]) => Promise<readonly BoardRow[]>;
    /** What the cards of these tasks show in addition to their rows. */
    readonly parts: (within: Within, ids: readonly WorkItemId[]) => Promise<CardParts>;
  };
}
