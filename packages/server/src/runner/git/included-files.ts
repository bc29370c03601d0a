import { constants } from 'node:fs';
import { copyFile, lstat, mkdir, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Git } from './git.ts';
import { names } from './git.ts';
import type { Source } from './source.ts';

const LIST = '.worktreeinclude';
const MAX_FILE = 10 * 1024 * 1024;
const MAX_FILES = 1_000;

/**
 * The ignored files of the source that its `.worktreeinclude` names, in the syntax of `.gitignore`: what a project needs and no
 * commit may hold, such as `.env`. The index of `git_dir` tells which files are known; names are byte for byte, as git has them.
 */
export async function includedFiles(git: Git, source: Source, git_dir: string): Promise<readonly string[]> {
  const { work_tree } = source;
  if (work_tree === null || !(await lstat(join(work_tree, LIST)).catch(() => null))?.isFile()) return [];
  const places = { git_dir, work_tree };
  const listed = await git(
    ['ls-files', '-z', '--others', '--ignored', `--exclude-from=${join(work_tree, LIST)}`],
    places,
  );
  // With a dot in front no name is taken for a pattern.
  const input = Buffer.from(
    names(listed.stdout)
      .map((name) => `./${name}\0`)
      .join(''),
    'latin1',
  );
  const ignored = await git(['check-ignore', '-z', '--stdin'], { ...places, input, answers: [1] });
  return names(ignored.stdout)
    .filter((name) => !name.endsWith('/'))
    .map((name) => name.slice('./'.length))
    .slice(0, MAX_FILES);
}

/** Copies files from one folder to the same place in another, never over a file, and never through a link out of either. */
export async function copyFiles(listed: readonly string[], from: string, to: string): Promise<void> {
  const inside = `${await realpath(from)}${sep}`;
  for (const name of listed.map((bytes) => Buffer.from(bytes, 'latin1').toString())) {
    const path = join(from, name);
    const found = await lstat(path).catch(() => null);
    if (!found?.isFile() || found.size > MAX_FILE || !(await realpath(path)).startsWith(inside)) continue;
    if (!(await makeParents(to, name.split('/').slice(0, -1)))) continue;
    // An existing file is the one of the branch.
    await copyFile(path, join(to, name), constants.COPYFILE_EXCL).catch(() => {});
  }
}

/** False where a link or a file of the branch is in the way. */
async function makeParents(folder: string, [first, ...rest]: readonly string[]): Promise<boolean> {
  if (first === undefined) return true;
  const next = join(folder, first);
  await mkdir(next).catch(() => {});
  const found = await lstat(next).catch(() => null);
  return found?.isDirectory() ? makeParents(next, rest) : false;
}
