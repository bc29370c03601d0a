import { copyFile, mkdir, rename, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { checkBranch } from './check-branch.ts';
import type { Git } from './git.ts';
import { said } from './git.ts';
import { writeGitDir } from './git-dir.ts';
import { GitError } from './git-error.ts';
import { copyFiles, includedFiles } from './included-files.ts';
import { keepFolder } from './keep-folder.ts';
import { attemptFolder, findFolder, makeAttemptFolder } from './places.ts';
import { dropRef, keptHead, moveRef, targetCommit } from './refs.ts';
import { openScratch } from './scratch.ts';
import { refreshIndex } from './snapshot.ts';
import type { Source } from './source.ts';
import { commitOf, isAncestor, openSource } from './source.ts';
import type { RepoPlace } from './workshop.ts';
import { planOf } from './workshop.ts';

export interface Preparation extends RepoPlace {
  readonly target_branch: string;
  /** Null before the first run. */
  readonly base_commit: string | null;
}

export interface Prepared {
  readonly base_commit: string;
  readonly is_fresh: boolean;
}

interface Start {
  readonly target: string | null;
  readonly head: string;
  readonly base_commit: string;
}

export async function prepareFolder(git: Git, root: string, place: Preparation): Promise<Prepared> {
  const exists = await findFolder(root, place.attempt_id, place.folder);
  const problem = checkBranch(place.branch) ?? checkBranch(place.target_branch);
  if (problem !== null) throw new GitError(problem);
  if (place.branch === place.target_branch) {
    throw new GitError(`An attempt cannot work on “${place.branch}” itself. Give it a branch of its own.`);
  }
  const source = await openSource(git, place.source);
  const start = await findStart(git, source, place);
  if (exists) await keepFolder(git, root, { place, source, head: start.head });
  else await makeFolder(git, root, { place, source, start });
  return { base_commit: start.base_commit, is_fresh: !exists };
}

interface Plan {
  readonly place: Preparation;
  readonly source: Source;
  readonly start: Start;
}

async function findStart(git: Git, { git_dir }: Source, place: Preparation): Promise<Start> {
  const own = await commitOf(git, git_dir, `refs/heads/${place.branch}`);
  const kept = await commitOf(git, git_dir, keptHead(place.attempt_id));
  const is_kept_newer = kept !== null && (own === null || (await isAncestor(git, git_dir, [own, kept])));
  const begun = is_kept_newer ? kept : own;
  if (place.base_commit !== null) {
    const base_commit = await commitOf(git, git_dir, place.base_commit);
    if (base_commit === null) throw new GitError('The commit that the attempt began with is gone from the repository.');
    const target = await commitOf(git, git_dir, `refs/heads/${place.target_branch}`);
    return { target, head: begun ?? base_commit, base_commit };
  }
  const target = await targetCommit(git, git_dir, place.target_branch);
  if (begun === null) return { target, head: target, base_commit: target };
  const common = said(await git(['merge-base', begun, target], { git_dir, answers: [1] }));
  return { target, head: begun, base_commit: common === '' ? target : common };
}

/** Makes the folder apart and puts it in place with one rename: it is there as a whole, or not at all. */
async function makeFolder(git: Git, root: string, { place, source, start }: Plan): Promise<void> {
  await using scratch = await openScratch(root, place.attempt_id, { source, branch: null, refs: new Map() });
  const { git_dir } = scratch;
  const work_tree = join(scratch.folder, 'tree');
  await mkdir(work_tree, { mode: 0o700 });
  // Without filters: files of Git LFS arrive as pointers, and what an agent writes over one is committed as it is.
  await git(['read-tree', '--reset', '-u', start.head], { git_dir, work_tree });
  if (source.work_tree !== null)
    await copyFiles(await includedFiles(git, source, git_dir), source.work_tree, work_tree);
  await refreshIndex(git, { git_dir, work_tree });

  const refs = new Map([[`refs/heads/${place.branch}`, start.head]]);
  if (start.target !== null) refs.set(`refs/heads/${place.target_branch}`, start.target);
  await writeGitDir(join(work_tree, '.git'), { ...planOf({ source, place }), refs });
  await copyFile(join(git_dir, 'index'), join(work_tree, '.git', 'index'));

  const made = await makeRefs(git, source, { place, head: start.head });
  try {
    await makeAttemptFolder(root, place.attempt_id);
    await rename(work_tree, place.folder);
  } catch (cause) {
    for (const name of made) await dropRef(git, source.git_dir, name, start.head);
    await rmdir(attemptFolder(root, place.attempt_id)).catch(() => {});
    throw cause;
  }
}

/** The branch, and what keeps its commits when it is deleted. Says which of them are new. */
async function makeRefs(
  git: Git,
  { git_dir }: Source,
  { place, head }: { readonly place: RepoPlace; readonly head: string },
): Promise<readonly string[]> {
  const branch = `refs/heads/${place.branch}`;
  const kept = keptHead(place.attempt_id);
  const kept_before = await commitOf(git, git_dir, kept);
  const is_new = (await commitOf(git, git_dir, branch)) === null;
  if (is_new && !(await moveRef(git, git_dir, { name: branch, from: null, to: head }))) {
    throw new GitError(`The branch “${place.branch}” cannot be made: another branch of the repository is in its way.`);
  }
  await moveRef(git, git_dir, { name: kept, from: kept_before, to: head });
  return [...(is_new ? [branch] : []), ...(kept_before === null ? [kept] : [])];
}
