import { constants, copyFile, lstat, mkdir, readdir, readlink, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathOf } from '#runner/git/add-files';
import { KEPT } from '#runner/git/scratch';
import type { Difference } from './diff.ts';
import { blockerOf, pathsTo } from './in-the-way.ts';
import type { PersonWorkTree } from './person-work-tree.ts';
import type { ShipTools } from './ship-tools.ts';

/**
 * Copies files that are neither as before nor as after the move, because someone wrote them meanwhile, to a folder of the job
 * beside the attempts. Returns the names that may now be overwritten.
 */
export async function keepForeign(tools: ShipTools, theirs: PersonWorkTree, all: readonly Difference[], repo: string) {
  const { path: work_tree } = theirs.work_tree;
  const before = new Set(await theirs.changed(await theirs.copyIndex('before.index', all, 'old')));
  const gone = new Set(all.filter((one) => one.new === null).map(({ path }) => path));
  const suspects: string[] = [];
  for (const { path, old } of all) {
    if (old === null ? (await blockerOf(work_tree, path, gone)) !== null : before.has(path)) suspects.push(path);
  }
  if (suspects.length === 0) return;
  const after = new Set(await theirs.changed(await theirs.copyIndex('after.index', all, 'new')));
  const folder = join(tools.root, KEPT, tools.job_id, repo);
  for (const path of suspects.filter((name) => gone.has(name) || after.has(name))) {
    const found = await standingAt(work_tree, path);
    if (found !== null)
      await tools.step('copy aside', () => copyAside(pathOf(work_tree, found), pathOf(folder, found)));
  }
}

/** The path, or the file or link in the place of a folder above it; null when nothing is there. */
async function standingAt(work_tree: string, path: string): Promise<string | null> {
  for (const name of pathsTo(path)) {
    const found = await lstat(pathOf(work_tree, name)).catch(() => null);
    if (found === null) return null;
    if (name === path || !found.isDirectory()) return name;
  }
  return null;
}

/** Copies a file, a link or a folder. What an earlier recovery has copied stays, and the new copy gets a number. */
async function copyAside(from: Buffer, to: Buffer): Promise<void> {
  const found = await lstat(from);
  await mkdir(Buffer.from(dirname(to.toString('latin1')), 'latin1'), { recursive: true, mode: 0o700 });
  if (found.isDirectory()) {
    for (const name of await readdir(from, { encoding: 'buffer' })) {
      await copyAside(Buffer.concat([from, Buffer.from('/'), name]), Buffer.concat([to, Buffer.from('/'), name]));
    }
    return;
  }
  for (let number = 0; ; number += 1) {
    const free = number === 0 ? to : Buffer.concat([to, Buffer.from(`.${number}`)]);
    try {
      if (found.isSymbolicLink()) await symlink(await readlink(from, 'buffer'), free);
      else if (found.isFile()) await copyFile(from, free, constants.COPYFILE_EXCL);
      return;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
  }
}
