import { existsSync } from 'node:fs';
import { readdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { OutsideFiles } from '#domain/attempt';
import { folderName } from '#domain/folder-names';
import type { Between } from './between.ts';
import { readBetween } from './between.ts';
import type { Changes } from './changes.ts';
import { readChanges } from './changes.ts';
import type { CommittedFolder, FolderCommit } from './commit-folder.ts';
import { commitFolder } from './commit-folder.ts';
import { attemptFolder, findFolder } from './folder-paths.ts';
import type { Git, OperatorHome } from './git.ts';
import { createGit } from './git.ts';
import { GitError } from './git-error.ts';
import { canBeKept, findOutside } from './outside.ts';
import type { Preparation, Prepared } from './prepare.ts';
import { prepareFolder } from './prepare.ts';
import { keptHead } from './refs.ts';
import type { Removal, Removed } from './remove.ts';
import { removeFolder } from './remove.ts';
import type { RepoFolder } from './repo-folder.ts';
import { keepAside, openScratch, removeTree, SCRATCH } from './scratch.ts';
import { takeSnapshot } from './snapshot.ts';
import { commitOf, openSource } from './source.ts';

const MAX_TRIES = 3;

/** The folders that agents work in: for each attempt one per repository, made from a source that keeps its commits. */
export interface AttemptFolders {
  /** The folder of an attempt, which holds those of its repositories. */
  readonly folder: (attempt_id: string) => string;
  /** The path of a repository's folder; the index is that of `folderIndexes`. */
  readonly repoFolder: (attempt_id: string, repo_name: string, index: number) => string;
  /** Makes the folder on the attempt's branch. An existing one keeps its files and commits. */
  readonly prepare: (place: Preparation) => Promise<Prepared>;
  /** Commits the changes of a run, once all of its processes have ended. */
  readonly commit: (place: FolderCommit) => Promise<CommittedFolder>;
  /** The changes in the folder now. Nothing is committed; an agent may be working in it. */
  readonly diff: (place: RepoFolder & { readonly base_commit: string }) => Promise<Changes>;
  /** The changes between two commits of an attempt; null when one of them is gone. */
  readonly between: (
    place: Pick<RepoFolder, 'source' | 'attempt_id'>,
    commits: readonly [string, string],
  ) => Promise<Between | null>;
  /** Removes the folder, unless it holds something that the source lacks. */
  readonly remove: (place: Removal) => Promise<Removed>;
  /** Files in the folder of the attempt that are in none of these folders; null for none. */
  readonly outside: (attempt_id: string, folders: readonly string[]) => Promise<OutsideFiles | null>;
  /** Whether those files are small enough to be kept when the folders are removed. */
  readonly canKeepOutside: (attempt_id: string, folders: readonly string[]) => Promise<boolean>;
  /** Removes the folder of an attempt after those of its repositories; other files in it are moved aside and kept. */
  readonly removeAttempt: (attempt_id: string, folders: readonly string[]) => Promise<void>;
}

interface AttemptFoldersOptions {
  readonly root: string;
  /** Where git finds the operator's name and address; null for nowhere. */
  readonly operator?: OperatorHome | null;
}

export function createAttemptFolders({ root, operator = null }: AttemptFoldersOptions): AttemptFolders {
  const git = createGit(operator);
  return {
    folder: (attempt_id) => attemptFolder(root, attempt_id),
    repoFolder: (attempt_id, repo_name, index) => join(attemptFolder(root, attempt_id), folderName(repo_name, index)),
    prepare: (place) => prepareFolder(git, root, place),
    commit: (place) => commitFolder(git, root, place),
    diff: (place) => diffFolder(git, root, place),
    between: (place, commits) => readBetween(git, root, place, commits),
    remove: (place) => removeFolder(git, root, place),
    outside: (attempt_id, folders) => findOutside(root, attempt_id, folders),
    canKeepOutside: (attempt_id, folders) => canBeKept(root, attempt_id, folders),
    removeAttempt: (attempt_id, folders) => removeAttempt(root, attempt_id, folders),
  };
}

async function diffFolder(
  git: Git,
  root: string,
  place: RepoFolder & { readonly base_commit: string },
): Promise<Changes> {
  const source = await openSource(git, place.source);
  const from = (await commitOf(git, source.git_dir, keptHead(place.attempt_id))) ?? place.base_commit;
  for (let tries = 1; ; tries += 1) {
    if (!(await findFolder(root, place.attempt_id, place.folder)))
      throw new GitError('The folder of the attempt is gone.');
    try {
      await using scratch = await openScratch(root, place.attempt_id, { source, branch: null, refs: new Map() });
      const { git_dir } = scratch;
      const { tree } = await takeSnapshot(git, { git_dir, work_tree: place.folder, from, source });
      return await readChanges(git, git_dir, [place.base_commit, tree]);
    } catch (cause) {
      // A file that changes during the read makes the whole read fail.
      if (tries === MAX_TRIES) throw cause;
    }
  }
}

async function removeAttempt(root: string, attempt_id: string, folders: readonly string[]): Promise<void> {
  const folder = attemptFolder(root, attempt_id);
  const left = (await readdir(join(root, SCRATCH)).catch(() => [])).filter(
    (name) => name.replace(/-\w{6}$/, '') === attempt_id,
  );
  for (const name of left) await removeTree(join(root, SCRATCH, name));
  // The removal of a repository's folder was refused: it stays where people look for it.
  if (folders.some((path) => existsSync(path))) return;
  await rmdir(folder).catch(() => keepAside(root, attempt_id, folder));
}
