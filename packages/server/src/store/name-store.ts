import type { ProjectId, RunId, WorkItemId, WorkspaceId } from '#domain/ids';
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
    /** Whether a server of an older release has left a task or an attempt without a number. */
    readonly hasUnnumbered: () => Promise<boolean>;
    /** Projects without a key, of every workspace, sorted by id. Only todo lists of apps' users stay without one. */
    readonly keyless: (page: KeylessPage) => Promise<readonly KeylessProject[]>;
  };
}

export interface KeylessPage {
  /** Only projects after this one; empty for all. */
  readonly after: string;
  readonly limit: number;
}

export interface KeylessProject {
  readonly id: ProjectId;
  readonly wants_key: boolean;
}

export interface NameWrites {
  readonly names: NameReads['names'] & {
    /** Numbers at most `limit` tasks and `limit` attempts that have no number. Returns how many got one. */
    readonly giveNumbers: (limit: number) => Promise<number>;
    /** Gives keys to a page of projects that have none. Returns whether there may be more. */
    readonly giveKeys: (page: KeylessPage) => Promise<boolean>;
  };
}
