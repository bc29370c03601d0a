import { copyFile, mkdir, rename, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { checkBranch } from './check-branch.ts';
import { attemptFolder, findFolder, makeAttemptFolder } from './folder-paths.ts';
import type { Git } from './git.ts';
import { said } from './git.ts';
import { writeGitDir } from './git-dir.ts';
import { GitError } from './git-error.ts';
import { copyFiles, forgetCopies, includedFiles, noteCopies } from './included-files.ts';
import {
  agreedHead,
  blockingBranch,
  dropRef,
  keptHead,
  keptOthers,
  moveRef,
  putRef,
  targetCommit,
  theirHead,
} from './refs.ts';
import type { RepoFolder } from './repo-folder.ts';
import { mustBeOurs, planOf } from './repo-folder.ts';
import { reuseFolder } from './reuse-folder.ts';
import { openScratch } from './scratch.ts';
import { refreshIndex } from './snapshot.ts';
import type { Source } from './source.ts';
import { commitOf, isAncestor, openSource } from './source.ts';

export interface Preparation extends RepoFolder {
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
  if (exists) await reuseFolder(git, root, { place, source, head: start.head });
  else await makeFolder(git, root, { place, source, start });
  return { base_commit: start.base_commit, is_fresh: !exists };
}

interface Plan {
  readonly place: Preparation;
  readonly source: Source;
  readonly start: Start;
}

async function findStart(git: Git, { git_dir }: Source, place: Preparation): Promise<Start> {
  const begun = await findHead(git, git_dir, place);
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

/** The commit to continue from, for an attempt that has begun before, or whose branch already existed. */
export async function findHead(
  git: Git,
  git_dir: string,
  { branch, attempt_id }: Pick<RepoFolder, 'branch' | 'attempt_id'>,
): Promise<string | null> {
  const own = await commitOf(git, git_dir, `refs/heads/${branch}`);
  const kept = await commitOf(git, git_dir, keptHead(attempt_id));
  if (own === null || kept === null) return own ?? kept;
  if (await isAncestor(git, git_dir, [kept, own])) return own;
  if (await isAncestor(git, git_dir, [own, kept])) return kept;
  // A person rewrote the branch with the work in view, or went on from a commit without it.
  return kept === (await commitOf(git, git_dir, agreedHead(attempt_id))) ? own : kept;
}

/** Makes the folder elsewhere and moves it into place with one rename, so that it is never half made. */
async function makeFolder(git: Git, root: string, { place, source, start }: Plan): Promise<void> {
  await using scratch = await openScratch(root, place.attempt_id, { source, branch: null, refs: new Map() });
  const { git_dir } = scratch;
  const work_tree = join(scratch.folder, 'tree');
  await mkdir(work_tree, { mode: 0o700 });
  // Without filters: files of Git LFS arrive as pointers, and an agent's version of one is committed as it is.
  await git(['read-tree', '--reset', '-u', start.head], { git_dir, work_tree });
  const included = await includedFiles(git, source, git_dir);
  const copies = source.work_tree === null ? new Map() : await copyFiles(included, source.work_tree, work_tree);
  await refreshIndex(git, { git_dir, work_tree });

  const refs = new Map([[`refs/heads/${place.branch}`, start.head]]);
  if (start.target !== null) refs.set(`refs/heads/${place.target_branch}`, start.target);
  await writeGitDir(join(work_tree, '.git'), { ...planOf({ source, place }), refs });
  await copyFile(join(git_dir, 'index'), join(work_tree, '.git', 'index'));

  await mustBeOurs(place);
  const kept = await commitOf(git, source.git_dir, keptHead(place.attempt_id));
  const made = await makeRefs(git, source, { place, head: start.head, kept });
  try {
    await noteCopies(root, place, copies);
    await makeAttemptFolder(root, place.attempt_id);
    await rename(work_tree, place.folder);
  } catch (cause) {
    for (const name of made) await dropRef(git, source.git_dir, { name, from: start.head });
    await forgetCopies(root, place);
    await rmdir(attemptFolder(root, place.attempt_id)).catch(() => {});
    throw cause;
  }
  if ((await commitOf(git, source.git_dir, `refs/heads/${place.branch}`)) !== start.head) return;
  const is_theirs = !made.includes(`refs/heads/${place.branch}`) && kept !== start.head;
  if (is_theirs) await putRef(git, source.git_dir, { name: theirHead(place.attempt_id), to: start.head });
  await putRef(git, source.git_dir, { name: agreedHead(place.attempt_id), to: start.head });
}

/** Makes the branch, and the references that keep its commits when it is deleted. Returns which of them are new. */
async function makeRefs(
  git: Git,
  { git_dir }: Source,
  {
    place,
    head,
    kept: kept_before,
  }: { readonly place: RepoFolder; readonly head: string; readonly kept: string | null },
): Promise<readonly string[]> {
  const branch = `refs/heads/${place.branch}`;
  const kept = keptHead(place.attempt_id);
  const is_new =
    (await commitOf(git, git_dir, branch)) === null &&
    (await moveRef(git, git_dir, { name: branch, from: null, to: head }));
  // The worker that held the run before may have made it meanwhile.
  if (!is_new && (await commitOf(git, git_dir, branch)) === null) {
    const other = await blockingBranch(git, git_dir, place.branch);
    const why =
      other === null
        ? 'git refuses it'
        : `the branch “${other}” of the repository is in its way. Rename that one: git branch -m ${other} ${other.replaceAll('/', '-')}-old`;
    throw new GitError(`The branch “${place.branch}” cannot be made: ${why}.`);
  }
  if (kept_before !== null && !(await isAncestor(git, git_dir, [kept_before, head])))
    await putRef(git, git_dir, { name: `${keptOthers(place.attempt_id)}/${kept_before}`, to: kept_before });
  await moveRef(git, git_dir, { name: kept, from: kept_before, to: head });
  return [...(is_new ? [branch] : []), ...(kept_before === null ? [kept] : [])];
}
