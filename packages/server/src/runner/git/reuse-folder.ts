import { join } from 'node:path';
import { readGitDir } from './found-git-dir.ts';
import type { Git } from './git.ts';
import { keptHead, moveBranch, putRef, rebasedHead, theirHead } from './refs.ts';
import type { RepoFolder, RepoWork } from './repo-folder.ts';
import {
  commitsOf,
  forgetObjects,
  keepable,
  mustBeOurs,
  NO_OTHERS,
  planOf,
  renewGitDir,
  store,
  treeOf,
} from './repo-folder.ts';
import { openScratch } from './scratch.ts';
import { refreshIndex, takeSnapshot } from './snapshot.ts';
import type { Source } from './source.ts';
import { commitOf, isAncestor } from './source.ts';
import { switchFiles } from './switch-files.ts';

interface Reusing {
  readonly place: RepoFolder;
  readonly source: Source;
  /** The commit to continue from if the folder has nothing new: mostly that of the branch in the source. */
  readonly head: string;
}

/** Prepares a folder for the next run: its files and the commits of an interrupted run stay; its git directory is made again. */
export async function reuseFolder(git: Git, root: string, { place, source, head }: Reusing): Promise<void> {
  const found = await readGitDir(join(place.folder, '.git'), planOf({ source, place }));
  const objects = found.objects === null ? [] : [found.objects];
  await using scratch = await openScratch(root, place.attempt_id, { source, branch: null, objects, refs: new Map() });
  const repoWork: RepoWork = { git, place, source, scratch };
  const { git_dir } = scratch;
  const last = (await commitOf(git, source.git_dir, keptHead(place.attempt_id))) ?? head;

  const salvage = async () => {
    const own = found.head === null ? null : await commitOf(git, git_dir, found.head);
    const others = await keepable(repoWork, found);
    await store(repoWork, own ?? last, commitsOf(others));
    return { own: own ?? last, others };
  };
  // Unreadable commits are left behind: the files are still there.
  const { own, others } = await salvage().catch(() => ({ own: last, others: NO_OTHERS }));
  await mustBeOurs(place);
  await forgetObjects(repoWork);
  const next = await catchUp(repoWork, { own, last, head });
  await store(repoWork, next, [own]);
  const rebased = await commitOf(git, source.git_dir, rebasedHead(place.attempt_id));
  if (next === head && head !== last && head !== rebased)
    await putRef(git, source.git_dir, { name: theirHead(place.attempt_id), to: head });
  await moveBranch(git, source.git_dir, { ...place, to: next });
  await git(['read-tree', next], { git_dir });
  await refreshIndex(git, { git_dir, work_tree: place.folder });
  await renewGitDir(repoWork, next, others);
}

interface Heads {
  /** The commit of the folder. */
  readonly own: string;
  /** The last commit that was fetched from it. */
  readonly last: string;
  readonly head: string;
}

/** Moves the folder to the branch's commit in the source, unless the folder has something that was never there. */
async function catchUp(repoWork: RepoWork, { own, last, head }: Heads): Promise<string> {
  const { git, source, scratch, place } = repoWork;
  const { git_dir } = scratch;
  if (own === head || !(own === last || (await isAncestor(git, git_dir, [own, head])))) return own;
  const work_tree = place.folder;
  const { tree, left_out } = await takeSnapshot(git, { git_dir, work_tree, from: own, source });
  if (tree === (await treeOf(repoWork, head))) return head;
  if (left_out.length > 0 || tree !== (await treeOf(repoWork, own))) return own;
  return (await switchFiles(git, { git_dir, work_tree }, [own, head])) ? head : own;
}
