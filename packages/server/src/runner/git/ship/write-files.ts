import { lstat, readFile, rmdir, unlink } from 'node:fs/promises';
import { listOf, pathOf } from '#runner/git/add-files';
import type { Source } from '#runner/git/source';
import type { Difference } from './diff.ts';
import { differences } from './diff.ts';
import { pathsTo } from './in-the-way.ts';
import { keepForeign } from './keep-files.ts';
import { replaceIndex } from './lock.ts';
import type { PersonWorkTree } from './person-work-tree.ts';
import { openPersonWorkTree } from './person-work-tree.ts';
import type { WorkTree } from './ship-plan.ts';
import type { ShipTools } from './ship-tools.ts';

interface FileMove {
  readonly repo_id: string;
  readonly work_tree: WorkTree;
  readonly from: string;
  readonly to: string;
  /** Whether the move is taken back: an old index says nothing about the files then. */
  readonly is_back?: boolean;
}

/** Brings the files and the index of a locked work tree from one commit to another. Can be repeated after a kill at any point. */
export async function writeFiles(tools: ShipTools, source: Source, move: FileMove): Promise<void> {
  const { git } = tools;
  await using theirs = await openPersonWorkTree(tools, source, move.work_tree);
  const all = await differences(git, theirs.git_dir, [move.from, move.to]);
  if (await isWritten(tools, theirs, move, all)) return;
  await keepForeign(tools, theirs, all, move.repo_id);
  await removeFiles(tools, theirs, all);
  const index = await theirs.copyIndex('new.index', all, 'new');
  const written = all.filter((one) => one.new !== null).map(({ path }) => path);
  // First, because they say how the others are written.
  const isAttributes = (path: string) => /(?:^|\/)\.gitattributes$/.test(path);
  for (const paths of [written.filter(isAttributes), written.filter((path) => !isAttributes(path))]) {
    if (paths.length === 0) continue;
    await git(['checkout-index', '-f', '-u', '-q', '-z', '--stdin'], {
      ...theirs.options(index),
      input: listOf(paths),
    });
  }
  await replaceIndex(tools, move.work_tree, await readFile(index));
}

/**
 * Whether the files of a move are written. The index is replaced last, so a new index means that all files are there.
 */
async function isWritten(
  { git }: ShipTools,
  theirs: PersonWorkTree,
  { to, is_back }: FileMove,
  all: readonly Difference[],
) {
  const index = await theirs.copyIndex('found.index');
  const known = ['diff-index', '--cached', '--quiet', to, '--'];
  if ((await git(known, { ...theirs.options(index), answers: [1] })).code !== 0) return false;
  if (is_back !== true) return true;
  const changed = new Set(await theirs.changed(index));
  return !all.some(({ path }) => changed.has(path));
}

async function removeFiles({ step }: ShipTools, theirs: PersonWorkTree, all: readonly Difference[]): Promise<void> {
  const { path: work_tree } = theirs.work_tree;
  for (const { path } of all.filter((one) => one.new === null)) {
    const folders = pathsTo(path).slice(0, -1);
    // Behind a link lies something that is not of this work tree.
    if (!(await areFolders(work_tree, folders))) continue;
    await step('removal of a file', () => unlink(pathOf(work_tree, path)).catch(() => {}));
    for (const folder of folders.toReversed()) {
      const is_removed = await step('removal of a folder', () =>
        rmdir(pathOf(work_tree, folder)).then(
          () => true,
          () => false,
        ),
      );
      if (!is_removed) break;
    }
  }
}

async function areFolders(work_tree: string, folders: readonly string[]): Promise<boolean> {
  for (const folder of folders) {
    if (!(await lstat(pathOf(work_tree, folder)).catch(() => null))?.isDirectory()) return false;
  }
  return true;
}
