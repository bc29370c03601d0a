import type { WorkItemId, WorkspaceId } from '#domain/ids';
import type { FoundNames, NameSight, WantedName } from '#domain/reference';

/** Finding things by their names: see `Reads`. */
export interface NameReads {
  readonly names: {
    readonly find: (sight: NameSight, wanted: WantedName) => Promise<FoundNames>;
    /** The keys of tasks; those without one are left out. */
    readonly keysOf: (workspace: WorkspaceId, items: readonly WorkItemId[]) => Promise<ReadonlyMap<WorkItemId, string>>;
  };
}
