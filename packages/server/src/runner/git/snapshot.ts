import { access, constants, lstat } from 'node:fs/promises';
import type { Places } from './add-files.ts';
import { addFiles, listOf, pathOf } from './add-files.ts';
import type { Git } from './git.ts';
import { names, said } from './git.ts';
import { includedFiles } from './included-files.ts';
import type { Source } from './source.ts';

const MAX_FILE = 100 * 1024 * 1024;

export interface SnapshotOptions {
  readonly git_dir: string;
  readonly work_tree: string;
  /** The commit whose files count as known, even if they are ignored by now. */
  readonly from: string;
  readonly source: Source;
  /** Leaves out files that git itself reads, such as `.gitmodules`. */
  readonly is_wary?: boolean;
}

export interface Snapshot {
  readonly tree: string;
  /** What a commit cannot hold: a nested repository, a huge or unreadable file, a pipe. A file that was there before stays. */
  readonly left_out: readonly string[];
}

/**
 * Makes a tree of a folder's files. Without `git add`, which runs `git status` in every nested repository, with the
 * configuration that it finds there.
 */
export async function takeSnapshot(git: Git, options: SnapshotOptions): Promise<Snapshot> {
  const { git_dir, work_tree, from, source, is_wary = false } = options;
  const places = { git_dir, work_tree };
  await git(['read-tree', from], { git_dir });
  // An agent can change the ignore rules: files that were copied in as secrets still count as secret.
  const secrets = new Set(await includedFiles(git, source, git_dir));
  await refreshIndex(git, places);
  const changed = names((await git(['diff-files', '-z', '--name-status', '--ignore-submodules=all'], places)).stdout);
  const others = await unknownFiles(git, places, secrets);

  // Git lists a status and then a path, in turn.
  const paths = changed.filter((_, at) => at % 2 === 1);
  const isGone = (_: string, at: number): boolean => changed[at * 2] === 'D';
  const gone = paths.filter(isGone);
  const there = paths.filter((path, at) => !isGone(path, at));
  const wanted = [...there, ...others];
  const taken: string[] = [];
  for (const name of wanted) {
    const is_wanted = !isDotGit(name) && !(is_wary && isReadByGit(name));
    if (is_wanted && (await isTakeable(work_tree, name))) taken.push(name);
  }
  // Forced: for a file whose folder became a link, git does not look behind the link.
  await git(['update-index', '--force-remove', '-z', '--stdin'], { ...places, input: listOf(gone) });
  const added = new Set(await addFiles(git, places, taken));
  const refused = wanted.filter((name) => !added.has(name));
  // Git silently skips names that it reserves.
  const left_out = new Set([...refused, ...(await unknownFiles(git, places, secrets))]);
  return { tree: said(await git(['write-tree'], { git_dir })), left_out: [...left_out].map(readable) };
}

async function unknownFiles(git: Git, places: Places, secrets: ReadonlySet<string>): Promise<readonly string[]> {
  const listed = await git(['ls-files', '-z', '--others', '--exclude-standard'], places);
  return names(listed.stdout).filter((name) => !secrets.has(name));
}

const readable = (name: string): string => Buffer.from(name, 'latin1').toString();

/** Refreshes the index, so that only changed files are read later. */
export async function refreshIndex(git: Git, places: Places): Promise<void> {
  await git(['update-index', '-q', '--refresh'], { ...places, answers: [1] });
}

/**
 * Whether a part of the path names a git directory, on Windows too, where a backslash separates the parts. Git refuses
 * to fetch a tree with such a path.
 */
const isDotGit = (name: string): boolean =>
  name.split(/[/\\]/).some((part) => /^(?:\.git|git~1)[ .]*(?::.*)?$/i.test(part));

/**
 * Whether git itself reads this file, such as `.gitmodules`. Some file systems ignore invisible characters in a name, and
 * others shorten it (`gi1234~1`): these names count too.
 */
function isReadByGit(name: string): boolean {
  const base = Buffer.from(name.slice(name.lastIndexOf('/') + 1), 'latin1').toString();
  const seen = base.replaceAll(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, '');
  return /^(?:\.?git|gi[0-9a-f]{4}~)/i.test(seen);
}

async function isTakeable(work_tree: string, name: string): Promise<boolean> {
  // Git lists a nested repository like this.
  if (name.endsWith('/')) return false;
  const path = pathOf(work_tree, name);
  const found = await lstat(path).catch(() => null);
  if (found === null || found.isSymbolicLink()) return true;
  if (!found.isFile() || found.size > MAX_FILE) return false;
  return access(path, constants.R_OK).then(
    () => true,
    () => false,
  );
}
