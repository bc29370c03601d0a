import type { RunId, WorkItemId, WorkspaceId } from '#domain/ids';
import type { FoundNames, NameSight, WantedName } from '#domain/reference';
import type { RunKeys } from '#domain/run';

/** Finding things by their names: see `Reads`. */
export interface NameReads {
  readonly names: {
    readonly find: (sight: NameSight, wanted: WantedName) => Promise<FoundNames>;
    /** The keys of tasks; those without one are left out. */
    readonly keysOf: (workspace: WorkspaceId, items: readonly WorkItemId[]) => Promise<ReadonlyMap<WorkItemId, string>>;
    /** The keys of the task and the attempt of runs; a run without a task is left out. */
    readonly keysOfRuns: (workspace: WorkspaceId, runs: readonly RunId[]) => Promise<ReadonlyMap<RunId, RunKeys>>;
  };
}
