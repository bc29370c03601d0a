import { constants, open, realpath } from 'node:fs/promises';
import type { Git } from './git.ts';
import { said } from './git.ts';
import { GitError } from './git-error.ts';

/** How often git is retried without the files that may have made it fail. */
const MAX_FAILURES = 200;

export interface Places {
  readonly git_dir: string;
  readonly work_tree: string;
}

/** Encodes names as git's NUL-separated list. */
export const listOf = (list: readonly string[]): Buffer =>
  Buffer.from(list.map((name) => `${name}\0`).join(''), 'latin1');

/** Names are bytes, exactly as git has them. */
export const pathOf = (folder: string, name: string): Buffer =>
  Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(name, 'latin1')]);

/**
 * Adds files to the index, and returns which. One file that git cannot convert as `.gitattributes` says makes the whole call
 * fail: such a file is searched for, and added unconverted.
 */
export async function addFiles(git: Git, places: Places, list: readonly string[]): Promise<readonly string[]> {
  let failures = 0;

  async function add(some: readonly string[]): Promise<readonly string[]> {
    if (some.length === 0 || failures === MAX_FAILURES) return [];
    try {
      await git(['update-index', '--add', '--remove', '--replace', '-z', '--stdin'], {
        ...places,
        input: listOf(some),
      });
      return some;
    } catch (cause) {
      if (!(cause instanceof GitError)) throw cause;
      failures += 1;
    }
    const [first = ''] = some;
    if (some.length === 1) return (await addAsItIs(git, places, first)) ? some : [];
    const middle = Math.ceil(some.length / 2);
    return [...(await add(some.slice(0, middle))), ...(await add(some.slice(middle)))];
  }

  return add(list);
}

async function addAsItIs(git: Git, { git_dir, work_tree }: Places, name: string): Promise<boolean> {
  const file = await readOwn(work_tree, name);
  if (file === null) return false;
  const blob = said(await git(['hash-object', '-w', '--stdin'], { git_dir, input: file.bytes }));
  const input = Buffer.from(`${file.mode} ${blob}\t${name}\0`, 'latin1');
  await git(['update-index', '--add', '--replace', '-z', '--index-info'], { git_dir, input });
  return true;
}

/** Null for anything but a file of the folder: an agent may have put a link or a pipe in its place. */
async function readOwn(work_tree: string, name: string) {
  const path = pathOf(work_tree, name);
  const expected = pathOf(await realpath(work_tree), name).toString('latin1');
  if ((await realpath(path, 'latin1').catch(() => null)) !== expected) return null;
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => null);
  if (file === null) return null;
  try {
    const found = await file.stat();
    if (!found.isFile()) return null;
    return { bytes: await file.readFile(), mode: (found.mode & 0o100) === 0 ? '100644' : '100755' };
  } finally {
    await file.close();
  }
}
