import type { Git } from './git.ts';
import { said } from './git.ts';
import { GitError } from './git-error.ts';
import { commitOf, isAncestor } from './source.ts';

/** Holds what an attempt has made, whatever becomes of its branch. */
export const keptHead = (attempt_id: string): string => `refs/errand/${attempt_id}/head`;

/** What else an agent has committed or stashed, besides its branch. */
export const keptOthers = (attempt_id: string): string => `refs/errand/${attempt_id}/kept`;

/** Changes a reference if it still is at `from`; null stands for one that does not exist. */
export async function moveRef(git: Git, git_dir: string, move: RefMove): Promise<boolean> {
  const { name, from, to } = move;
  const none = '0'.repeat(to.length);
  const { code } = await git(['update-ref', '--no-deref', '-m', 'errand', name, to, from ?? none], {
    git_dir,
    answers: [1, 128],
  });
  return code === 0;
}

export interface RefMove {
  readonly name: string;
  readonly from: string | null;
  readonly to: string;
}

export async function dropRef(git: Git, git_dir: string, name: string, from: string): Promise<void> {
  await git(['update-ref', '--no-deref', '-d', name, from], { git_dir, answers: [1, 128] });
}

/** Moves the branch of an attempt, unless somebody has it open or has added commits of their own. */
export async function moveBranch(
  git: Git,
  git_dir: string,
  { branch, previous, to }: { readonly branch: string; readonly previous: string; readonly to: string },
): Promise<boolean> {
  const name = `refs/heads/${branch}`;
  const from = await commitOf(git, git_dir, name);
  if (from === to) return true;
  if (await isCheckedOut(git, git_dir, name)) return false;
  const is_ours = from === null || from === previous || (await isAncestor(git, git_dir, [from, to]));
  return is_ours && (await moveRef(git, git_dir, { name, from, to }));
}

/** A branch that moves below an open work tree makes all of its files look changed. */
async function isCheckedOut(git: Git, git_dir: string, name: string): Promise<boolean> {
  const listed = await git(['worktree', 'list', '--porcelain', '-z'], { git_dir });
  return said(listed).split('\0').includes(`branch ${name}`);
}

/** The tip of the branch that an attempt starts from. */
export async function targetCommit(git: Git, git_dir: string, branch: string): Promise<string> {
  const found = await commitOf(git, git_dir, `refs/heads/${branch}`);
  if (found !== null) return found;
  const any = await git(['for-each-ref', '--count=1', '--format=%(refname)', 'refs/heads'], { git_dir });
  if (said(any) === '') throw new GitError('The repository has no commits yet. Make a first commit, then start again.');
  throw new GitError(`The repository has no branch “${branch}”. Choose a branch that exists.`);
}

/** Whether all of these commits can be reached from a reference of the source. */
export async function areReachable(git: Git, git_dir: string, commits: readonly string[]): Promise<boolean> {
  if (commits.length === 0) return true;
  const found = await git(['rev-list', '--max-count=1', ...new Set(commits), '--not', '--all'], {
    git_dir,
    answers: [128],
  });
  return found.code === 0 && found.stdout.length === 0;
}
