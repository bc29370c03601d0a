import type { AgentId, AttemptId, ProjectId, RunId, UserId, WorkItemId } from '#domain/ids';
import type { ListedRun, ListedRunParts } from '#domain/listed-run';
import type { Within } from '#domain/reach';
import type { RunStatus } from '#domain/run';

export interface ListedRunQuery {
  readonly status?: RunStatus | undefined;
  readonly project_id?: ProjectId | undefined;
  readonly work_item_id?: WorkItemId | undefined;
  readonly attempt_id?: AttemptId | undefined;
  readonly agent_id?: AgentId | undefined;
  readonly executor?: string | undefined;
  /** Begun at this time or later. */
  readonly from?: number | undefined;
  /** Begun before this time. */
  readonly to?: number | undefined;
  /** Only those made before this one, newest first; null for the newest. */
  readonly before: RunId | null;
  readonly limit: number;
}

/** The read methods about the runs of all projects: see `Reads`. */
export interface ListedRunReads {
  readonly listedRuns: {
    /** The runs of visible projects and the user's own without a project, newest first, without checks. */
    readonly list: (within: Within, user: UserId, query: ListedRunQuery) => Promise<readonly ListedRun[]>;
    /** The steps and changed files of runs that the list has answered. */
    readonly parts: (runs: readonly ListedRun[]) => Promise<ListedRunParts>;
  };
}
