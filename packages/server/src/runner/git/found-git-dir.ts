import type { Dirent } from 'node:fs';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkBranch } from './check-branch.ts';
import type { GitDirPlan } from './git-dir.ts';
import { trustedFiles } from './git-dir.ts';

const MAX_ENTRIES = 100_000;
const MAX_TEXT = 1024 * 1024;
const STASH = /^[0-9a-f]+ ([0-9a-f]{40}|[0-9a-f]{64}) ([^\0\n]*)$/;
const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
/** The files that git itself leaves in a git directory between operations. */
const ORDINARY = new Set(
  'HEAD config description index info logs objects packed-refs refs shallow COMMIT_EDITMSG ORIG_HEAD FETCH_HEAD'.split(
    ' ',
  ),
);

/** Files that redirect git to other places. */
const READ = new Set(['config.worktree', 'commondir', 'gitdir']);

/** Folders of other repositories: submodules, and further work trees. */
const REPOSITORIES = ['modules', 'worktrees'];

/** An entry of the stash: its commit, and its line in the log. */
export interface Stash {
  readonly commit: string;
  readonly note: string;
}

/** The git directory that an agent left. It is read as files: no git ever runs in it, because its configuration can start programs. */
export interface FoundGitDir {
  /** True when nothing in the git folder could start a program, or redirect git. */
  readonly is_as_made: boolean;
  /** Its objects, if all of them are its own files; null when they may refer to other repositories. */
  readonly objects: string | null;
  /** The commit that is checked out; null when it cannot be read. */
  readonly head: string | null;
  /** Its branches, its tags and the newest stash. */
  readonly refs: ReadonlyMap<string, string>;
  /** Oldest first. */
  readonly stashes: readonly Stash[];
  /** The directory may hold commits that are not listed here. */
  readonly has_more: boolean;
}

const NOTHING: FoundGitDir = {
  is_as_made: false,
  objects: null,
  head: null,
  refs: new Map(),
  stashes: [],
  has_more: false,
};

export async function readGitDir(git_dir: string, plan: GitDirPlan): Promise<FoundGitDir> {
  if (!(await isFolder(git_dir))) return NOTHING;
  const objects = join(git_dir, 'objects');
  const are_own = (await isOnlyFiles(objects)) && (await isAsMade(git_dir, plan, ['objects/info/alternates']));
  const { refs, is_all } = await readRefs(git_dir);
  return {
    is_as_made:
      are_own && (await hasNothingElse(git_dir)) && (await isAsMade(git_dir, plan, [...trustedFiles(plan).keys()])),
    objects: are_own ? objects : null,
    head: await readHead(git_dir, refs),
    refs,
    stashes: await readStashes(git_dir),
    has_more: !is_all || (await hasRepositories(git_dir)),
  };
}

async function hasRepositories(git_dir: string): Promise<boolean> {
  for (const name of REPOSITORIES) {
    if ((await readdir(join(git_dir, name)).catch(() => [])).length > 0) return true;
  }
  return false;
}

async function readStashes(git_dir: string): Promise<readonly Stash[]> {
  const lines = ((await readText(join(git_dir, 'logs/refs/stash'))) ?? '').split('\n');
  return lines.flatMap((line) => {
    const [, commit, note = ''] = STASH.exec(line) ?? [];
    return commit === undefined ? [] : [{ commit, note }];
  });
}

async function isAsMade(git_dir: string, plan: GitDirPlan, paths: readonly string[]): Promise<boolean> {
  for (const path of paths) {
    if ((await readText(join(git_dir, path))) !== trustedFiles(plan).get(path)) return false;
  }
  return true;
}

async function hasNothingElse(git_dir: string): Promise<boolean> {
  const entries = await readdir(git_dir, { withFileTypes: true });
  // Agents leave notes in git folders, and git does not read them.
  const isHarmless = (entry: Dirent): boolean => ORDINARY.has(entry.name) || (entry.isFile() && !READ.has(entry.name));
  if (!entries.every(isHarmless)) return false;
  const others = (await readdir(join(git_dir, 'info')).catch(() => [])).filter(
    (name) => name !== 'exclude' && name !== 'refs',
  );
  return (
    others.length === 0 && (await isOnlyFiles(join(git_dir, 'refs'))) && (await isOnlyFiles(join(git_dir, 'info')))
  );
}

async function readHead(git_dir: string, refs: ReadonlyMap<string, string>): Promise<string | null> {
  const text = (await readText(join(git_dir, 'HEAD')))?.trim() ?? '';
  if (COMMIT.test(text)) return text;
  return text.startsWith('ref: ') ? (refs.get(text.slice(5).trim()) ?? null) : null;
}

async function readRefs(git_dir: string): Promise<{ refs: ReadonlyMap<string, string>; is_all: boolean }> {
  const refs = new Map<string, string>();
  let is_all = true;
  const note = (name: string, value: string) => {
    if (!/^refs\/(?:heads\/|tags\/|stash$)/.test(name) || !COMMIT.test(value)) return;
    if (checkBranch(name.replace(/^refs\/(?:heads\/|tags\/)?/, '')) === null) refs.set(name, value);
    else is_all = false;
  };
  for (const line of ((await readText(join(git_dir, 'packed-refs'))) ?? '').split('\n')) {
    const [value = '', name = ''] = line.split(' ');
    note(name, value);
  }
  for (const path of (await filesBelow(join(git_dir, 'refs'))) ?? []) {
    note(`refs/${path}`, (await readText(join(git_dir, 'refs', path)))?.trim() ?? '');
  }
  return { refs, is_all };
}

const isFolder = async (path: string): Promise<boolean> =>
  (await lstat(path).catch(() => null))?.isDirectory() ?? false;

const isOnlyFiles = async (folder: string): Promise<boolean> => (await filesBelow(folder)) !== null;

/** Null when it contains anything but folders and files, or too many of them. */
async function filesBelow(folder: string): Promise<readonly string[] | null> {
  if (!(await isFolder(folder))) return null;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => null);
  if (entries === null || entries.length > MAX_ENTRIES) return null;
  if (entries.some((entry) => !entry.isFile() && !entry.isDirectory())) return null;
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

/** Null for anything but a regular file: reading a pipe would never end. */
async function readText(path: string): Promise<string | null> {
  const found = await lstat(path).catch(() => null);
  if (!found?.isFile() || found.size > MAX_TEXT) return null;
  return readFile(path, 'utf8').catch(() => null);
}
