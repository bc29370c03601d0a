import { readdir, rename, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Changes } from './changes.ts';
import { readChanges } from './changes.ts';
import type { Collected, Collection } from './collect.ts';
import { collectFolder } from './collect.ts';
import { readGitDir } from './found-git-dir.ts';
import type { Git } from './git.ts';
import { createGit } from './git.ts';
import { GitError } from './git-error.ts';
import { attemptFolder, findFolder, folderName, isAttemptName } from './places.ts';
import type { Preparation, Prepared } from './prepare.ts';
import { prepareFolder } from './prepare.ts';
import { areReachable, dropRef, keptHead } from './refs.ts';
import { openScratch, removeTree, SCRATCH } from './scratch.ts';
import { takeSnapshot } from './snapshot.ts';
import { commitOf, isAncestor, openSource } from './source.ts';
import type { RepoPlace } from './workshop.ts';
import { planOf, treeOf } from './workshop.ts';

const TRIES = 3;

/** The folders that agents work in: for each attempt one per repository, made from a source that keeps what is made in them. */
export interface Workspaces {
  /** Where the folder of a repository goes. */
  readonly place: (attempt_id: string, repo_name: string, index: number) => string;
  /** Makes the folder on the branch of the attempt. One that exists keeps its files, and the commits in it. */
  readonly prepare: (place: Preparation) => Promise<Prepared>;
  /** Commits what a run has left, once all of its processes are gone. */
  readonly collect: (place: Collection) => Promise<Collected>;
  /** What the folder changes now; nothing is committed, and an agent may be at work. */
  readonly diff: (place: RepoPlace & { readonly base_commit: string }) => Promise<Changes>;
  /** Removes the folder, unless the source lacks something that is in it. */
  readonly remove: (
    place: RepoPlace & { readonly base_commit: string | null },
  ) => Promise<'removed' | 'unsaved' | 'absent'>;
  /** Removes the folder of an attempt that holds nothing any more. */
  readonly removeAttempt: (attempt_id: string) => Promise<void>;
  /** The attempts that have a folder. */
  readonly list: () => Promise<readonly string[]>;
}

export function createWorkspaces({ root }: { readonly root: string }): Workspaces {
  const git = createGit();
  return {
    place: (attempt_id, repo_name, index) => join(attemptFolder(root, attempt_id), folderName(repo_name, index)),
    prepare: (place) => prepareFolder(git, root, place),
    collect: (place) => collectFolder(git, root, place),
    diff: (place) => diffFolder(git, root, place),
    remove: (place) => removeFolder(git, root, place),
    removeAttempt: (attempt_id) => removeAttempt(root, attempt_id),
    list: () => listAttempts(root),
  };
}

async function diffFolder(
  git: Git,
  root: string,
  place: RepoPlace & { readonly base_commit: string },
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
      // A file that changes while it is read fails the whole reading.
      if (tries === TRIES) throw cause;
    }
  }
}

async function removeFolder(
  git: Git,
  root: string,
  place: RepoPlace & { readonly base_commit: string | null },
): Promise<'removed' | 'unsaved' | 'absent'> {
  if (!(await findFolder(root, place.attempt_id, place.folder))) return 'absent';
  const source = await openSource(git, place.source).catch(() => null);
  if (source === null) return 'unsaved';
  const { git_dir } = source;
  const own = await commitOf(git, git_dir, `refs/heads/${place.branch}`);
  const kept = await commitOf(git, git_dir, keptHead(place.attempt_id));
  const saved = kept ?? own ?? place.base_commit;
  if (saved === null) return 'unsaved';

  await using scratch = await openScratch(root, place.attempt_id, { source, branch: null, refs: new Map() });
  const found = await readGitDir(join(place.folder, '.git'), planOf({ source, place }));
  const commits = [...found.refs.values(), ...(found.head === null ? [] : [found.head])];
  if (!(await areReachable(git, git_dir, commits))) return 'unsaved';
  const snapshot = await takeSnapshot(git, { git_dir: scratch.git_dir, work_tree: place.folder, from: saved, source });
  if (snapshot.is_partial || snapshot.tree !== (await treeOf({ git, place, source, scratch }, saved))) return 'unsaved';

  await rename(place.folder, join(scratch.folder, 'removed'));
  const is_on_branch = kept !== null && own !== null && (await isAncestor(git, git_dir, [kept, own]));
  if (is_on_branch) await dropRef(git, git_dir, keptHead(place.attempt_id), kept);
  return 'removed';
}

async function removeAttempt(root: string, attempt_id: string): Promise<void> {
  const folder = attemptFolder(root, attempt_id);
  const left = (await readdir(join(root, SCRATCH)).catch(() => [])).filter(
    (name) => name.replace(/-\w{6}$/, '') === attempt_id,
  );
  for (const name of left) await removeTree(join(root, SCRATCH, name));
  // One that still holds something is left alone.
  await rmdir(folder).catch(() => {});
}

async function listAttempts(root: string): Promise<readonly string[]> {
  const entries = await readdir(root, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory() && isAttemptName(entry.name)).map((entry) => entry.name);
}
