import { readdir, readFile, realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Git } from '#runner/git/git';
import type { Source } from '#runner/git/source';
import { branchOf } from './refusal-texts.ts';
import type { Refusal, WorkTree } from './ship-plan.ts';

interface Listed {
  readonly path: string;
  readonly branch: string | null;
}

/** The only work tree that has a branch checked out; null for none. */
export async function findWorkTree(
  git: Git,
  source: Source,
  ref: string,
  names_work_tree: boolean,
): Promise<{ readonly work_tree: WorkTree | null } | Refusal> {
  const branch = branchOf(ref);
  const busy = await operationOn(source.git_dir, ref);
  if (busy !== null)
    return { reason: 'in_operation', text: `A rebase or bisect of ${branch} is under way (${busy}). End it first.` };
  const listed = await listWorkTrees(git, source.git_dir);
  const found = listed.filter((one) => one.branch === ref);
  const [only] = found;
  if (only === undefined) return { work_tree: null };
  const refused = (why: string): Refusal => ({
    reason: 'checked_out',
    text: `${branch} is checked out in ${found.map(({ path }) => path).join(' and ')}${why}`,
  });
  if (found.length > 1) return refused(': only one of them can follow. Check out another branch there.');
  const is_main = only === listed[0];
  if (is_main && names_work_tree) return refused(', and its configuration puts its files elsewhere (core.worktree).');
  const work_tree = await readWorkTree(is_main ? [only.path, source.work_tree] : [only.path], source.git_dir, is_main);
  return work_tree === null
    ? refused(', which cannot be read. If it is gone, forget it: git worktree prune')
    : { work_tree };
}

async function listWorkTrees(git: Git, git_dir: string): Promise<readonly Listed[]> {
  const { stdout } = await git(['worktree', 'list', '--porcelain', '-z'], { git_dir });
  return stdout
    .toString()
    .split('\0\0')
    .map((record) => {
      const lines = record.split('\0');
      const lineOf = (key: string) => lines.find((line) => line.startsWith(`${key} `))?.slice(key.length + 1);
      return { path: lineOf('worktree') ?? '', branch: lineOf('branch') ?? null };
    })
    .filter(({ path }) => path !== '');
}

/** Git lists a main work tree beside its git directory, even if that directory was made apart from it. */
async function readWorkTree(
  paths: readonly (string | null)[],
  common: string,
  is_main: boolean,
): Promise<WorkTree | null> {
  for (const path of paths) {
    const git_dir = path === null ? null : await gitDirAt(path);
    if (path === null || git_dir === null) continue;
    const belongs = is_main ? git_dir === (await realpath(common)) : await isLinkedTo(git_dir, common);
    if (belongs) return { path, git_dir };
  }
  return null;
}

async function isLinkedTo(git_dir: string, common: string): Promise<boolean> {
  return (await realpath(join(common, 'worktrees')).catch(() => null)) === dirname(git_dir);
}

async function gitDirAt(path: string): Promise<string | null> {
  const place = join(path, '.git');
  const text = await readFile(place, 'utf8').catch((error: NodeJS.ErrnoException) =>
    error.code === 'EISDIR' ? `gitdir: ${place}` : '',
  );
  const named = /^gitdir: (.*?)\n*$/s.exec(text)?.[1];
  return named === undefined ? null : realpath(resolve(path, named)).catch(() => null);
}

/** A rebase or bisect moves its branch at its end, while its work tree has no branch checked out. */
export async function operationOn(git_dir: string, ref: string): Promise<string | null> {
  const linked = await readdir(join(git_dir, 'worktrees')).catch(() => []);
  for (const folder of [git_dir, ...linked.map((name) => join(git_dir, 'worktrees', name))]) {
    for (const file of ['rebase-merge/head-name', 'rebase-apply/head-name', 'BISECT_START']) {
      const text = await readFile(join(folder, file), 'utf8').catch(() => '');
      if (text.trimEnd() === ref || `refs/heads/${text.trimEnd()}` === ref) return join(folder, dirname(file));
    }
  }
  return null;
}
