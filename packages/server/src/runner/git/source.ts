import { readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Git, Identity } from './git.ts';
import { said } from './git.ts';
import { GitError } from './git-error.ts';

/** The repository that an attempt works on. Its work tree, index, HEAD and configuration are only read. */
export interface Source {
  /** Shared by all work trees of the repository. */
  readonly git_dir: string;
  readonly objects: string;
  /** Null for a bare repository. */
  readonly work_tree: string | null;
  readonly object_format: string;
  readonly identity: Identity;
  /** The repository's own list of ignored files that is not committed. */
  readonly exclude: string;
  /** Where its history ends, when it was fetched only in part. */
  readonly shallow: string | null;
}

export async function openSource(git: Git, path: string): Promise<Source> {
  const { git_dir, work_tree, object_format } = await locate(git, path);
  const [name, email] = await Promise.all([
    setting(git, git_dir, 'user.name', 'Errand'),
    setting(git, git_dir, 'user.email', 'errand@localhost'),
  ]);
  return {
    git_dir,
    objects: join(git_dir, 'objects'),
    work_tree,
    object_format,
    identity: { name, email },
    exclude: (await textOf(join(git_dir, 'info', 'exclude'))) ?? '',
    shallow: await textOf(join(git_dir, 'shallow')),
  };
}

async function locate(git: Git, path: string) {
  try {
    const cwd = await realpath(path);
    // The operator named this folder: who owns it does not matter, and no folder above it is meant.
    const options = { cwd, settings: ['safe.directory=*'], ceiling: dirname(cwd) };
    const ask = async (question: string) => said(await git(['rev-parse', '--path-format=absolute', question], options));
    const git_dir = await ask('--git-common-dir');
    if (git_dir.includes('\n')) throw new GitError('the path has a line break');
    const is_bare = (await ask('--is-bare-repository')) === 'true';
    return {
      git_dir,
      object_format: await ask('--show-object-format'),
      work_tree: is_bare ? null : await ask('--show-toplevel'),
    };
  } catch (cause) {
    throw new GitError('The repository of the attempt is not a git repository, or cannot be read.', detailOf(cause));
  }
}

const detailOf = (cause: unknown): string =>
  cause instanceof GitError ? `${cause.message} ${cause.detail}` : String(cause);

async function setting(git: Git, git_dir: string, key: string, otherwise: string): Promise<string> {
  const found = await git(['config', '--local', '--get', key], { git_dir, answers: [1] });
  return said(found) === '' ? otherwise : said(found);
}

const textOf = (path: string): Promise<string | null> => readFile(path, 'utf8').catch(() => null);

/** The commit that a reference of the source points to; null when there is none. */
export async function commitOf(git: Git, git_dir: string, name: string): Promise<string | null> {
  const found = await git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`], {
    git_dir,
    answers: [1, 128],
  });
  return found.code === 0 ? said(found) : null;
}

export async function isAncestor(
  git: Git,
  git_dir: string,
  [older, newer]: readonly [string, string],
): Promise<boolean> {
  if (older === newer) return true;
  const { code } = await git(['merge-base', '--is-ancestor', older, newer], { git_dir, answers: [1] });
  return code === 0;
}
