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
  /** The file that says where a shallow history ends; null for a complete one. */
  readonly shallow: string | null;
}

export async function openSource(git: Git, path: string): Promise<Source> {
  const { git_dir, work_tree, object_format } = await locate(git, path);
  return {
    git_dir,
    objects: join(git_dir, 'objects'),
    work_tree,
    object_format,
    identity: await identityOf(git, git_dir),
    exclude: (await textOf(join(git_dir, 'info', 'exclude'))) ?? '',
    shallow: await textOf(join(git_dir, 'shallow')),
  };
}

async function locate(git: Git, path: string) {
  try {
    const cwd = await realpath(path);
    // The operator named this folder, so its owner does not matter. Git must not search the folders above it.
    const options = { cwd, settings: ['safe.directory=*'], ceiling: dirname(cwd) };
    const ask = async (...questions: readonly string[]) =>
      said(await git(['rev-parse', '--path-format=absolute', ...questions], options)).split('\n');
    const [git_dir = '', is_bare = '', object_format = '', ...rest] = await ask(
      '--git-common-dir',
      '--is-bare-repository',
      '--show-object-format',
    );
    if (rest.length > 0) throw new GitError('the path has a line break');
    if (is_bare === 'true') return { git_dir, object_format, work_tree: null };
    return { git_dir, object_format, work_tree: (await ask('--show-toplevel')).join('\n') };
  } catch (cause) {
    throw new GitError('The repository of the attempt is not a git repository, or cannot be read.', detailOf(cause));
  }
}

const detailOf = (cause: unknown): string =>
  cause instanceof GitError ? `${cause.message} ${cause.detail}` : String(cause);

/** The committer, from the repository's own configuration, or else the operator's. */
async function identityOf(git: Git, git_dir: string): Promise<Identity> {
  const found = await git(['config', '--includes', '-z', '--get-regexp', '^user\\.(name|email)$'], {
    git_dir,
    reads_operator: true,
    // An unreadable configuration must not make the run fail.
    answers: [1, 3, 128],
  });
  const settings = new Map<string, string>();
  for (const line of found.stdout.toString().split('\0')) {
    const [key = '', ...value] = line.split('\n');
    settings.set(key, value.join('\n').trimEnd());
  }
  return {
    name: settings.get('user.name') || 'Errand',
    email: settings.get('user.email') || NO_EMAIL,
  };
}

/** The address for people and programs without a known one. */
export const NO_EMAIL = 'errand@localhost';

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
