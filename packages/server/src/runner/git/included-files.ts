import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, lstat, mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import type { Git } from './git.ts';
import { names } from './git.ts';
import type { RepoFolder } from './repo-folder.ts';
import type { Source } from './source.ts';

const LIST = '.worktreeinclude';
const MAX_FILE = 10 * 1024 * 1024;
const MAX_FILES = 1_000;
/** A folder for notes beside the attempts, where no agent works. */
const NOTES = '.included';

/**
 * The ignored files of the source that its `.worktreeinclude` names, in the syntax of `.gitignore`: files that a project needs
 * and no commit may hold, such as `.env`. The index of `git_dir` lists the known files; names are bytes, as git has them.
 */
export async function includedFiles(git: Git, source: Source, git_dir: string): Promise<readonly string[]> {
  const { work_tree } = source;
  if (work_tree === null || !(await lstat(join(work_tree, LIST)).catch(() => null))?.isFile()) return [];
  const places = { git_dir, work_tree };
  const listed = await git(
    ['ls-files', '-z', '--others', '--ignored', `--exclude-from=${join(work_tree, LIST)}`],
    places,
  );
  // With a dot in front, no name is read as a pattern.
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

/** The files that were copied into a folder: the digest of each by its name. */
export type Copies = ReadonlyMap<string, string>;

/** Copies files to the same path in another folder, never over a file, and never through a link out of either. */
export async function copyFiles(listed: readonly string[], from: string, to: string): Promise<Copies> {
  const copies = new Map<string, string>();
  const inside = `${await realpath(from)}${sep}`;
  for (const name of listed.map((bytes) => Buffer.from(bytes, 'latin1').toString())) {
    const path = join(from, name);
    const found = await lstat(path).catch(() => null);
    if (!found?.isFile() || found.size > MAX_FILE || !(await realpath(path)).startsWith(inside)) continue;
    if (!(await makeParents(to, name.split('/').slice(0, -1)))) continue;
    // An existing file is the branch's own.
    const is_copied = await copyFile(path, join(to, name), constants.COPYFILE_EXCL).then(
      () => true,
      () => false,
    );
    if (is_copied) copies.set(name, await digestOf(join(to, name)));
  }
  return copies;
}

const digestOf = async (path: string): Promise<string> =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex');

const notesOf = (root: string, { attempt_id, folder }: RepoFolder): string =>
  join(root, NOTES, `${attempt_id}+${basename(folder)}.json`);

/** Remembers the copies, so that an edited copy is known from an unchanged one. */
export async function noteCopies(root: string, place: RepoFolder, copies: Copies): Promise<void> {
  if (copies.size === 0) return forgetCopies(root, place);
  await mkdir(join(root, NOTES), { recursive: true, mode: 0o700 });
  await writeFile(notesOf(root, place), JSON.stringify(Object.fromEntries(copies)), { mode: 0o600 });
}

export async function readCopies(root: string, place: RepoFolder): Promise<Copies> {
  const text = await readFile(notesOf(root, place), 'utf8').catch(() => '{}');
  // Safe: written by `noteCopies`, in a place where no agent works.
  return new Map(Object.entries(JSON.parse(text) as Record<string, string>));
}

export async function forgetCopies(root: string, place: RepoFolder): Promise<void> {
  await rm(notesOf(root, place), { force: true });
}

export async function areAsCopied(copies: Copies, folder: string): Promise<boolean> {
  for (const [name, digest] of copies) {
    const found = await lstat(join(folder, name)).catch(() => null);
    if (found === null) continue;
    if (!found.isFile() || found.size > MAX_FILE || (await digestOf(join(folder, name))) !== digest) return false;
  }
  return true;
}

/** False when a link or a file of the branch is in the way. */
async function makeParents(folder: string, [first, ...rest]: readonly string[]): Promise<boolean> {
  if (first === undefined) return true;
  const next = join(folder, first);
  await mkdir(next).catch(() => {});
  const found = await lstat(next).catch(() => null);
  return found?.isDirectory() ? makeParents(next, rest) : false;
}
