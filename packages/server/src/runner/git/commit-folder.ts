import { join } from 'node:path';
import type { Changes } from './changes.ts';
import { countCommits, readChanges } from './changes.ts';
import { checkBranch } from './check-branch.ts';
import { findFolder } from './folder-paths.ts';
import type { FoundGitDir } from './found-git-dir.ts';
import { readGitDir } from './found-git-dir.ts';
import type { Git, Identity } from './git.ts';
import { said } from './git.ts';
import { GitError } from './git-error.ts';
import type { BranchEnd } from './refs.ts';
import { dropUnused, keptHead, moveBranch } from './refs.ts';
import type { RepoFolder, RepoWork } from './repo-folder.ts';
import { commitsOf, forgetObjects, keepable, NO_OTHERS, planOf, renewGitDir, store, treeOf } from './repo-folder.ts';
import { openScratch } from './scratch.ts';
import { takeSnapshot } from './snapshot.ts';
import type { Source } from './source.ts';
import { commitOf, isAncestor, openSource } from './source.ts';
import { switchFiles } from './switch-files.ts';

export interface FolderCommit extends RepoFolder {
  readonly base_commit: string;
  /** The message of the commit for changes that the agent has not committed itself. */
  readonly message: string;
  /** The person who asked for the run; null for the operator of this machine. */
  readonly author?: Identity | null;
}

export interface CommittedFolder extends Changes {
  readonly head_commit: string;
  /** How many commits the branch has on top of its base. */
  readonly commits: number;
  /** Whether there were changes to commit. */
  readonly made_commit: boolean;
  /** Where the branch was left alone, the commit is kept under a reference of the attempt. */
  readonly branch: BranchEnd;
  /** Whether the folder's git directory was no longer as Errand had made it. */
  readonly was_restored: boolean;
  /** The path of that directory below the root, if it held commits that the source cannot keep. */
  readonly kept_aside: string | null;
  /** Files in the folder that could not be committed. */
  readonly left_out: readonly string[];
}

export async function commitFolder(git: Git, root: string, place: FolderCommit): Promise<CommittedFolder> {
  const exists = await findFolder(root, place.attempt_id, place.folder);
  const problem = checkBranch(place.branch);
  if (problem !== null) throw new GitError(problem);
  if (!exists) throw new GitError('The folder of the attempt is gone.');
  const source = await openSource(git, place.source);
  const found = await readGitDir(join(place.folder, '.git'), planOf({ source, place }));
  const collect = (commits: FoundGitDir | null) => collectFound(git, root, { place, source, found: commits });
  return collect(found).catch((cause: unknown) => {
    if (!(cause instanceof GitError)) throw cause;
    // Unreadable or invalid commits must not cost the files.
    return collect(null);
  });
}

interface Findings {
  readonly place: FolderCommit;
  readonly source: Source;
  /** Null when nothing of it may be used. */
  readonly found: FoundGitDir | null;
}

async function collectFound(git: Git, root: string, { place, source, found }: Findings): Promise<CommittedFolder> {
  const objects = found?.objects ? [found.objects] : [];
  await using scratch = await openScratch(root, place.attempt_id, { source, branch: null, objects, refs: new Map() });
  const repoWork: RepoWork = { git, place, source, scratch };
  const previous = (await commitOf(git, source.git_dir, keptHead(place.attempt_id))) ?? place.base_commit;

  const { message, author = null } = place;
  const committed = await commitFiles(repoWork, { found, previous, message, author });
  const { head_commit } = committed;
  const others = found === null ? NO_OTHERS : await keepable(repoWork, found);
  await store(repoWork, head_commit, commitsOf(others));
  await forgetObjects(repoWork);
  const isUnused = head_commit === place.base_commit && (await dropUnused(git, source.git_dir, place));
  const branch = isUnused ? 'unused' : await moveBranch(git, source.git_dir, { ...place, to: head_commit });
  const ends = [place.base_commit, head_commit] as const;
  const changes = await readChanges(git, scratch.git_dir, ends);
  const commits = await countCommits(git, scratch.git_dir, ends);
  const kept_aside = await renewGitDir(repoWork, head_commit, others);
  return { ...committed, branch, was_restored: found?.is_as_made !== true, kept_aside, commits, ...changes };
}

interface Commits {
  readonly found: FoundGitDir | null;
  readonly previous: string;
  readonly message: string;
  readonly author: Identity | null;
}

/** Commits the files of the folder on top of the agent's commits. */
async function commitFiles(repoWork: RepoWork, { found, previous, message, author }: Commits) {
  const { git, source, scratch, place } = repoWork;
  const { git_dir } = scratch;
  const known = async (commit: string | null | undefined) => (commit == null ? null : commitOf(git, git_dir, commit));
  const tip = (await known(found?.refs.get(`refs/heads/${place.branch}`))) ?? previous;
  const head = (await known(found?.head)) ?? tip;
  const { tree, left_out } = await takeSnapshot(git, {
    git_dir,
    work_tree: place.folder,
    from: head,
    source,
    is_wary: found === null,
  });
  const is_clean = tree === (await treeOf(repoWork, head));
  const is_ahead = await isAncestor(git, git_dir, [tip, head]);

  if (is_clean && is_ahead) return { head_commit: head, made_commit: false, left_out };
  // The agent only checked something else out at the end: its work is on its branch.
  if (is_clean && (await switchFiles(git, { git_dir, work_tree: place.folder }, [head, tip]))) {
    return { head_commit: tip, made_commit: false, left_out };
  }
  // A branch that the agent left for another one stays part of the history.
  const parents = is_ahead ? [head] : [head, tip];
  const committed = await git(['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent]), '-F', '-'], {
    git_dir,
    identity: source.identity,
    author,
    input: `${message.replaceAll('\0', '').trim() || 'Changes of the attempt'}\n`,
  });
  return { head_commit: said(committed), made_commit: true, left_out };
}
