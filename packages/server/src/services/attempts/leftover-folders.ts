import type { LeftoverFolders } from '#domain/attempt';
import type { Store } from '#store/store';

/** Folders of attempts that were deleted with their work items. */
export function createLeftovers({ reads, transaction }: Pick<Store, 'reads' | 'transaction'>) {
  return {
    of: (host_id: string): Promise<readonly LeftoverFolders[]> => reads.attempts.leftovers(host_id),

    /** Forgets folders that were removed from the disk. */
    done: (folders: Pick<LeftoverFolders, 'attempt_id' | 'host_id'>): Promise<void> =>
      transaction((tx) => tx.attempts.dropLeftover(folders)),
  };
}

export type Leftovers = ReturnType<typeof createLeftovers>;
