import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { findFolder } from './folder-paths.ts';
import { readGitDir } from './found-git-dir.ts';
import type { Git } from './git.ts';
import { areAsCopied, forgetCopies, readCopies } from './included-files.ts';
import { agreedHead, areReachable, dropRef, keptHead, theirHead } from './refs.ts';
import type { RepoFolder, RepoWork } from './repo-folder.ts';
import { commitsOf, planOf, treeOf } from './repo-folder.ts';
import { openScratch } from './scratch.ts';
import { takeSnapshot } from './snapshot.ts';
import type { Source } from './source.ts';
import { commitOf, isAncestor, openSource } from './source.ts';
import { hasFilledSubmodules, hasHiddenFiles } from './unsaved.ts';

export interface Removal extends RepoFolder {
  readonly base_commit: string | null;
}

export type Removed = 'removed' | 'unsaved' | 'absent';

export async function removeFolder(git: Git, root: string, place: Removal): Promise<Removed> {
  if (!(await findFolder(root, place.attempt_id, place.folder))) return 'absent';
  const source = await openSource(git, place.source).catch(() => null);
  if (source === null) return 'unsaved';
  const own = await commitOf(git, source.git_dir, `refs/heads/${place.branch}`);
  const kept = await commitOf(git, source.git_dir, keptHead(place.attempt_id));
  const saved = kept ?? own ?? place.base_commit;
  if (saved === null) return 'unsaved';

  await using scratch = await openScratch(root, place.attempt_id, { source, branch: null, refs: new Map() });
  const repoWork: RepoWork = { git, place, source, scratch };
  if (!(await isSaved(repoWork, { saved, base: place.base_commit ?? saved }))) return 'unsaved';

  await rename(place.folder, join(scratch.folder, 'removed'));
  await forgetCopies(root, place);
  await dropRefs(git, source, { place, own, kept });
  return 'removed';
}

interface Commits {
  readonly saved: string;
  readonly base: string;
}

async function isSaved(repoWork: RepoWork, { saved, base }: Commits): Promise<boolean> {
  const { git, place, source, scratch } = repoWork;
  const found = await readGitDir(join(place.folder, '.git'), planOf(repoWork));
  const commits = [...commitsOf(found), ...(found.head === null ? [] : [found.head])];
  if (found.has_more || !(await areReachable(git, source.git_dir, { commits }))) return false;
  const places = { git_dir: scratch.git_dir, work_tree: place.folder };
  const { tree, left_out } = await takeSnapshot(git, { ...places, from: saved, source });
  if (left_out.length > 0 || tree !== (await treeOf(repoWork, saved))) return false;
  if (await hasFilledSubmodules(git, places)) return false;
  const copies = await readCopies(scratch.root, place);
  const besides = new Set(copies.keys());
  return (await areAsCopied(copies, place.folder)) && !(await hasHiddenFiles(repoWork, { saved, base, besides }));
}

interface Tips {
  readonly place: Removal;
  readonly own: string | null;
  readonly kept: string | null;
}

/** Removes the references whose commits are on the branch, and keeps the others. */
async function dropRefs(git: Git, { git_dir }: Source, { place, own, kept }: Tips): Promise<void> {
  const [head, agreed, theirs] = [keptHead, agreedHead, theirHead].map((name) => name(place.attempt_id));
  const is_on_branch = kept !== null && own !== null && (await isAncestor(git, git_dir, [kept, own]));
  const was_on_branch = kept !== null && kept === (await commitOf(git, git_dir, agreedHead(place.attempt_id)));
  // The attempt made nothing: it still is at the commit that it began with.
  const is_unused = kept !== null && own === null && kept === place.base_commit;
  if (is_unused)
    for (const name of [head, agreed, theirs])
      if (name !== undefined) await dropRef(git, git_dir, { name, from: kept });
  const done = [...(is_on_branch ? [head] : []), ...(is_on_branch || !was_on_branch ? [agreed, theirs] : [])];
  for (const name of done) {
    const commit = name === undefined ? null : await commitOf(git, git_dir, name);
    if (name !== undefined && commit !== null) await dropRef(git, git_dir, { name, from: commit });
  }
}
