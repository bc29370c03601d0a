import { lstat } from 'node:fs/promises';
import { type Places, pathOf } from './add-files.ts';
import type { Git } from './git.ts';
import { names } from './git.ts';

/** Switches the files of a folder to another commit. False, with nothing changed, when an uncommitted file is in the way. */
export async function switchFiles(git: Git, places: Places, [from, to]: readonly [string, string]): Promise<boolean> {
  const { git_dir, work_tree } = places;
  const paths = async (kind: 'A' | 'D') => {
    const how = ['-r', '-z', '--no-renames', '--name-only', `--diff-filter=${kind}`];
    return names((await git(['diff-tree', ...how, from, to, '--'], { git_dir })).stdout);
  };
  const gone = new Set(await paths('D'));
  // Git would overwrite ignored files.
  for (const name of await paths('A')) if (await isInTheWay(work_tree, name, gone)) return false;
  return (await git(['read-tree', '-m', '-u', from, to], { ...places, answers: [128] })).code === 0;
}

/** Unless it goes in the same step: a folder of known files that becomes a file, or a file that becomes a folder. */
async function isInTheWay(work_tree: string, name: string, gone: ReadonlySet<string>): Promise<boolean> {
  const parts = name.split('/');
  const above = parts.map((_, at) => parts.slice(0, at + 1).join('/'));
  if (above.some((path) => gone.has(path))) return false;
  const found = await lstat(pathOf(work_tree, name)).catch((error: NodeJS.ErrnoException) => error.code !== 'ENOENT');
  if (typeof found === 'boolean') return found;
  return !found.isDirectory() || ![...gone].some((path) => path.startsWith(`${name}/`));
}
