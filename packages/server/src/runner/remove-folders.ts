import type { Attempt, AttemptRepoRow } from '#domain/attempt';
import type { AttemptId } from '#domain/ids';
import type { Removals } from '#services/attempts/folder-removals';
import type { Leftovers } from '#services/attempts/leftover-folders';
import { repoFoldersOf } from './attempt-repos.ts';
import type { AttemptFolders } from './git/attempt-folders.ts';

interface Needs {
  readonly removals: Removals;
  readonly leftovers: Leftovers;
  readonly attemptFolders: AttemptFolders;
  readonly host_id: string;
  readonly report: (error: unknown) => void;
}

type Folders = Pick<Attempt, 'id' | 'branch'>;
type Repos = readonly Pick<AttemptRepoRow, 'repo_name' | 'repo_path' | 'base_commit'>[];

/** Removes the folders of attempts on this machine, unless they hold work that is in no repository. */
export function createFolderRemoval({ removals, leftovers, attemptFolders, host_id, report }: Needs) {
  /** Leftover folders that could not be removed: they stay until a person has saved what is in them, and are not tried again. */
  const kept = new Set<AttemptId>();

  async function removeSaved(attempt: Folders, repos: Repos): Promise<boolean> {
    const places = repoFoldersOf(attemptFolders, attempt, repos);
    const folders = places.map(({ place }) => place.folder);
    if (!(await attemptFolders.canKeepOutside(attempt.id, folders))) return false;
    let isAll = true;
    for (const { place, row } of places) {
      isAll = (await attemptFolders.remove({ ...place, base_commit: row.base_commit })) !== 'unsaved' && isAll;
    }
    if (isAll) await attemptFolders.removeAttempt(attempt.id, folders);
    return isAll;
  }

  /** Reports a folder that cannot be removed, and goes on with the others. */
  const remove = (attempt: Folders, repos: Repos): Promise<boolean> =>
    removeSaved(attempt, repos).catch((error: unknown) => {
      report(error);
      return false;
    });

  async function removeLeftovers(): Promise<void> {
    for (const { attempt_id: id, branch, repos } of await leftovers.of(host_id)) {
      if (kept.has(id)) continue;
      if (await remove({ id, branch }, repos)) await leftovers.done({ attempt_id: id, host_id });
      else kept.add(id);
    }
  }

  return async (): Promise<void> => {
    for (const { attempt, repos } of await removals.wanted(host_id)) {
      if (await removals.begin(attempt)) await removals.done(attempt, await remove(attempt, repos));
    }
    await removeLeftovers();
  };
}
