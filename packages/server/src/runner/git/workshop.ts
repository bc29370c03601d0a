import { copyFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FoundGitDir } from './found-git-dir.ts';
import type { Git } from './git.ts';
import { said } from './git.ts';
import type { GitDirPlan } from './git-dir.ts';
import { writeGitDir, writeRefs } from './git-dir.ts';
import { areReachable, keptHead, keptOthers } from './refs.ts';
import type { Scratch } from './scratch.ts';
import type { Source } from './source.ts';
import { commitOf, isAncestor } from './source.ts';

/** How many branches and stashes of an agent are kept besides the branch of the attempt. */
const MAX_OTHERS = 20;

/** A repository of an attempt: where it comes from, and where the agent works on it. */
export interface RepoPlace {
  readonly source: string;
  readonly folder: string;
  readonly branch: string;
  readonly attempt_id: string;
}

/** What one operation on a folder works with. */
export interface Bench {
  readonly git: Git;
  readonly place: RepoPlace;
  readonly source: Source;
  readonly scratch: Scratch;
}

/** The branches and stashes of the agent, as far as their commits can be read. */
export async function keepable({ git, scratch }: Bench, found: FoundGitDir): Promise<ReadonlyMap<string, string>> {
  const refs = new Map<string, string>();
  for (const [name, value] of found.refs) {
    if (refs.size === MAX_OTHERS) break;
    if ((await commitOf(git, scratch.git_dir, value)) === value) refs.set(name, value);
  }
  return refs;
}

/** Brings commits into the source, checked as if they came from a stranger, and keeps them there. */
export async function store(bench: Bench, head: string, others: Iterable<string>): Promise<void> {
  const { git, source, scratch, place } = bench;
  const refs = new Map([['refs/heads/head', head]]);
  for (const commit of new Set(others)) {
    const is_part = await isAncestor(git, scratch.git_dir, [commit, head]);
    if (!is_part && !(await areReachable(git, source.git_dir, [commit]))) refs.set(`refs/kept/${commit}`, commit);
  }
  await writeRefs(scratch.git_dir, refs);
  const quiet = ['--quiet', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance', '--no-recurse-submodules'];
  const wanted = [`+refs/heads/head:${keptHead(place.attempt_id)}`, `+refs/kept/*:${keptOthers(place.attempt_id)}/*`];
  await git(['fetch', ...quiet, '--end-of-options', scratch.git_dir, ...wanted], { git_dir: source.git_dir });
}

/** From here on only the source is read: objects of an agent need not be what their names say, and git believes the names. */
export async function forgetObjects({ source, scratch }: Bench): Promise<void> {
  await writeFile(join(scratch.git_dir, 'objects/info/alternates'), `${source.objects}\n`);
}

/**
 * Gives the folder a git directory made anew, with the index of the scratch. The one that an agent had in its hands goes: a person
 * who runs git in the folder would run what is configured there.
 */
export async function renewGitDir(bench: Bench, head: string, others: ReadonlyMap<string, string>): Promise<void> {
  const { scratch, place, source } = bench;
  const branch = `refs/heads/${place.branch}`;
  const refs = new Map(
    [...others].filter(([name]) => !name.startsWith(`${branch}/`) && !branch.startsWith(`${name}/`)),
  );
  const fresh = join(scratch.folder, 'fresh');
  await writeGitDir(fresh, { ...planOf(bench), source, refs: refs.set(branch, head) });
  await copyFile(join(scratch.git_dir, 'index'), join(fresh, 'index'));
  const own = join(place.folder, '.git');
  // There is none when the server was ended between the next two lines.
  await rename(own, join(scratch.folder, 'found')).catch(() => {});
  await rename(fresh, own);
}

export const planOf = ({ source, place }: Pick<Bench, 'source' | 'place'>): GitDirPlan => ({
  source,
  branch: place.branch,
  refs: new Map(),
});

export const treeOf = async ({ git, scratch }: Bench, commit: string): Promise<string> =>
  said(await git(['rev-parse', '--verify', '--end-of-options', `${commit}^{tree}`], { git_dir: scratch.git_dir }));
