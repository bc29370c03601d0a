import type { Git } from './git.ts';
import { said } from './git.ts';
import { GitError } from './git-error.ts';
import { commitOf, isAncestor } from './source.ts';

/** Keeps the commits of an attempt when its branch is moved or removed. */
export const keptHead = (attempt_id: string): string => `refs/errand/${attempt_id}/head`;

/** The agent's commits and stashes that are not on the branch of the attempt. */
export const keptOthers = (attempt_id: string): string => `refs/errand/${attempt_id}/kept`;

/** The commit where the attempt last put or found its branch: a branch at another commit was moved by a person. */
export const agreedHead = (attempt_id: string): string => `refs/errand/${attempt_id}/branch`;

/** The last commit that a person put on the branch: only a commit built on it may replace it. */
export const theirHead = (attempt_id: string): string => `refs/errand/${attempt_id}/theirs`;

/** The rebased branch of the attempt: its folder follows it, and its commits are not those of a person. */
export const rebasedHead = (attempt_id: string): string => `refs/errand/${attempt_id}/rebased`;

/** The commit that a merge of the attempt gave its target branch. */
export const mergedHead = (attempt_id: string): string => `refs/errand/${attempt_id}/merged`;

/** Keeps the prepared commit of a job until the target branch has it. */
export const jobHead = (attempt_id: string, job_id: string): string => `refs/errand/${attempt_id}/job/${job_id}`;

/** Moves a reference if it still is at `from`; null means that it does not exist. */
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

/** Removes a reference that still is at `from`. */
export async function dropRef(
  git: Git,
  git_dir: string,
  { name, from }: { readonly name: string; readonly from: string },
): Promise<void> {
  await git(['update-ref', '--no-deref', '-d', name, from], { git_dir, answers: [1, 128] });
}

export async function putRef(git: Git, git_dir: string, { name, to }: Pick<RefMove, 'name' | 'to'>): Promise<void> {
  await git(['update-ref', '--no-deref', '-m', 'errand', name, to], { git_dir });
}

/** The result for the branch: removed because nothing changed, or left alone because a work tree has it checked out, because it has commits of others, or because git refused. */
export type BranchEnd = 'moved' | 'unused' | 'checked_out' | 'has_others' | 'refused';

interface BranchMove {
  readonly branch: string;
  readonly attempt_id: string;
  readonly to: string;
}

/** Moves the branch of an attempt, unless a work tree has it checked out or commits of a person would be lost. */
export async function moveBranch(git: Git, git_dir: string, move: BranchMove): Promise<BranchEnd> {
  const name = `refs/heads/${move.branch}`;
  const { attempt_id, to } = move;
  const from = await commitOf(git, git_dir, name);
  if (from !== to) {
    if (await isCheckedOut(git, git_dir, name)) return 'checked_out';
    if (from !== null && !(await mayReplace(git, git_dir, { attempt_id, from, to }))) return 'has_others';
    if (!(await moveRef(git, git_dir, { name, from, to }))) return 'refused';
  }
  await putRef(git, git_dir, { name: agreedHead(attempt_id), to });
  return 'moved';
}

/** Removes a branch that Errand made and that holds no commit of its own. False when a person made it, or it is in use. */
export async function dropUnused(
  git: Git,
  git_dir: string,
  {
    branch,
    attempt_id,
    base_commit,
  }: { readonly branch: string; readonly attempt_id: string; readonly base_commit: string },
): Promise<boolean> {
  const name = `refs/heads/${branch}`;
  const at = await commitOf(git, git_dir, name);
  if (at === null) return true;
  const isOurs =
    at === base_commit &&
    at === (await commitOf(git, git_dir, agreedHead(attempt_id))) &&
    (await commitOf(git, git_dir, theirHead(attempt_id))) === null;
  if (!isOurs || (await isCheckedOut(git, git_dir, name))) return false;
  await dropRef(git, git_dir, { name, from: at });
  return true;
}

/** The branch that blocks a new one, because one's name is a folder of the other's; null for none. */
export async function blockingBranch(git: Git, git_dir: string, branch: string): Promise<string | null> {
  const parts = branch.split('/');
  const above = parts.slice(1).map((_, at) => `refs/heads/${parts.slice(0, at + 1).join('/')}`);
  const listed = await git(['for-each-ref', '--format=%(refname)', ...above, `refs/heads/${branch}/`], { git_dir });
  const names = said(listed).split('\n');
  const found = names.find((name) => above.includes(name) || name.startsWith(`refs/heads/${branch}/`));
  return found?.slice('refs/heads/'.length) ?? null;
}

interface Replacement {
  readonly attempt_id: string;
  readonly from: string;
  readonly to: string;
}

/** An agent may rewrite its own commits. */
async function mayReplace(git: Git, git_dir: string, { attempt_id, from, to }: Replacement): Promise<boolean> {
  if (await isAncestor(git, git_dir, [from, to])) return true;
  if (from !== (await commitOf(git, git_dir, agreedHead(attempt_id)))) return false;
  const theirs = await commitOf(git, git_dir, theirHead(attempt_id));
  return theirs === null || isAncestor(git, git_dir, [theirs, to]);
}

/** If a branch moves under an open work tree, all files there look changed. */
export async function isCheckedOut(git: Git, git_dir: string, name: string): Promise<boolean> {
  const listed = await git(['worktree', 'list', '--porcelain', '-z'], { git_dir });
  return said(listed).split('\0').includes(`branch ${name}`);
}

/** The tip of the branch that an attempt starts from. */
export async function targetCommit(git: Git, git_dir: string, branch: string): Promise<string> {
  const found = await commitOf(git, git_dir, `refs/heads/${branch}`);
  if (found !== null) return found;
  const any = await git(['for-each-ref', '--count=1', '--format=%(refname)', 'refs/heads'], { git_dir });
  if (said(any) === '') throw new GitError('The repository has no commits yet. Make a first commit, then start again.');
  throw new GitError(
    `The repository has no branch “${branch}”. Start another attempt from one that it has, or mend it with: errand repo update REPO_ID --target-branch BRANCH.`,
  );
}

interface SearchedCommits {
  readonly commits: readonly string[];
  /** References that are about to change: they keep nothing. */
  readonly besides?: readonly string[];
}

/** Whether all of these commits can be reached from a reference of the source, apart from those about to change. */
export async function areReachable(
  git: Git,
  git_dir: string,
  { commits, besides = [] }: SearchedCommits,
): Promise<boolean> {
  if (commits.length === 0) return true;
  const excluded = besides.map((name) => `--exclude=${name}`);
  const found = await git(['rev-list', '--max-count=1', ...new Set(commits), '--not', ...excluded, '--all'], {
    git_dir,
    answers: [128],
  });
  return found.code === 0 && found.stdout.length === 0;
}
