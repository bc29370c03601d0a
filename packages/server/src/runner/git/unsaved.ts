import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { listOf, type Places, pathOf } from './add-files.ts';
import type { Git } from './git.ts';
import { names } from './git.ts';
import type { RepoWork } from './repo-folder.ts';

const SUBMODULE = '160000 ';
const MAX_LIST = 32 * 1024 * 1024;

/** Files below a submodule belong to no commit of the repository. The index says where submodules are. */
export async function hasFilledSubmodules(git: Git, { git_dir, work_tree }: Places): Promise<boolean> {
  const staged = names((await git(['ls-files', '-z', '--stage'], { git_dir })).stdout);
  for (const entry of staged.filter((line) => line.startsWith(SUBMODULE))) {
    const folder = pathOf(work_tree, entry.slice(entry.indexOf('\t') + 1));
    if ((await readdir(folder).catch(() => [])).length > 0) return true;
  }
  return false;
}

interface Known {
  /** The commit of the folder. */
  readonly saved: string;
  /** The first commit of the attempt. */
  readonly base: string;
  /** Files that are handled elsewhere. */
  readonly besides: ReadonlySet<string>;
}

/**
 * Whether files are ignored that the rules of the commit `base` do not ignore: with a rule of its own, an agent could
 * have them deleted unseen. Files that the project itself ignores can be made again.
 */
export async function hasHiddenFiles(repoWork: RepoWork, { saved, base, besides }: Known): Promise<boolean> {
  const { git, place, scratch } = repoWork;
  const list = async (...how: readonly string[]) => {
    const args = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', ...how];
    const listed = await git(args, { git_dir: scratch.git_dir, work_tree: place.folder, cut_at: MAX_LIST });
    const is_copy = (name: string) => besides.has(Buffer.from(name, 'latin1').toString());
    return { ignored: names(listed.stdout).filter((name) => !is_copy(name)), is_cut: listed.is_cut };
  };
  const folders = await list('--directory');
  if (folders.ignored.length === 0) return folders.is_cut;
  const rules = await checkOutRules(repoWork, base);
  if (!folders.is_cut && (await areIgnored(git, rules, folders.ignored))) return false;
  await git(['read-tree', saved], { git_dir: scratch.git_dir });
  const files = await list();
  return files.is_cut || !(await areIgnored(git, rules, files.ignored));
}

/** Makes a folder with nothing but a commit's ignore files. */
async function checkOutRules({ git, scratch }: RepoWork, commit: string): Promise<Places> {
  const { git_dir } = scratch;
  const places = { git_dir, work_tree: join(scratch.folder, 'rules') };
  await mkdir(places.work_tree);
  await git(['read-tree', commit], { git_dir });
  const known = names((await git(['ls-files', '-z'], { git_dir })).stdout);
  const input = listOf(known.filter((name) => name === '.gitignore' || name.endsWith('/.gitignore')));
  await git(['checkout-index', '-z', '--stdin'], { ...places, input });
  return places;
}

async function areIgnored(git: Git, rules: Places, list: readonly string[]): Promise<boolean> {
  // A rule for folders applies only if the path is one.
  for (const name of list.filter((one) => one.endsWith('/')))
    await mkdir(pathOf(rules.work_tree, name), { recursive: true }).catch(() => {});
  const input = listOf(list.map((name) => `./${name.replace(/\/$/, '')}`));
  const ignored = await git(['check-ignore', '--no-index', '-z', '--stdin'], { ...rules, input, answers: [1] });
  return names(ignored.stdout).length === list.length;
}
