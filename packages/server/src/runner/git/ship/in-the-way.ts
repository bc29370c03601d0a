import { lstat, readdir } from 'node:fs/promises';
import { pathOf } from '#runner/git/add-files';
import type { Difference } from './diff.ts';

/** The folders above a path, from the top, and the path itself. */
export function pathsTo(path: string): readonly string[] {
  const parts = path.split('/');
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
}

/** A file, link or folder of the work tree at the place of a new file, ignored ones included; null for none. */
export async function inTheWay(work_tree: string, all: readonly Difference[]): Promise<string | null> {
  const gone = new Set(all.filter((one) => one.new === null).map(({ path }) => path));
  for (const { path, old } of all) {
    if (old !== null) continue;
    const found = await blockerOf(work_tree, path, gone);
    if (found !== null) return found;
  }
  return null;
}

/** What stands in the place of a file or of a folder above it, apart from files that go in the same step. */
export async function blockerOf(work_tree: string, path: string, gone: ReadonlySet<string>): Promise<string | null> {
  for (const name of pathsTo(path)) {
    const found = await lstat(pathOf(work_tree, name)).catch(() => null);
    if (found === null || gone.has(name)) return null;
    if (!found.isDirectory()) return name;
  }
  return firstBesides(work_tree, path, gone);
}

/** The first file of a folder that does not go; the folder itself if it is empty and no known file is in it. */
async function firstBesides(work_tree: string, folder: string, gone: ReadonlySet<string>): Promise<string | null> {
  const inside = await readdir(pathOf(work_tree, folder), { withFileTypes: true, encoding: 'buffer' });
  if (inside.length === 0) return folder;
  for (const entry of inside) {
    const name = `${folder}/${entry.name.toString('latin1')}`;
    if (gone.has(name)) continue;
    const found = entry.isDirectory() ? await firstBesides(work_tree, name, gone) : name;
    if (found !== null) return found;
  }
  return null;
}
