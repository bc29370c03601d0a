import { copyFile, mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FoundGitDir, Stash } from './found-git-dir.ts';
import type { Git } from './git.ts';
import { said } from './git.ts';
import type { GitDirPlan } from './git-dir.ts';
import { writeGitDir, writeRefs } from './git-dir.ts';
import { GitError } from './git-error.ts';
import { agreedHead, areReachable, keptHead, keptOthers, theirHead } from './refs.ts';
import type { Scratch } from './scratch.ts';
import { keepAside } from './scratch.ts';
import type { Source } from './source.ts';
import { commitOf, isAncestor } from './source.ts';

/** How many branches, tags and stashes of an agent are kept besides the attempt's branch. */
const MAX_OTHERS = 200;

/** A repository of an attempt: its source, and the folder in which the agent works. */
export interface RepoFolder {
  readonly source: string;
  readonly folder: string;
  readonly branch: string;
  readonly attempt_id: string;
  /** Whether this worker still holds the run: another may have taken it over while this process was asleep. */
  readonly isOurs?: () => Promise<boolean>;
}

/** Refuses before a change to a folder in which the worker that took over may work. */
export async function mustBeOurs({ isOurs }: RepoFolder): Promise<void> {
  if (isOurs !== undefined && !(await isOurs()))
    throw new GitError('Another has taken over the folder of the attempt.');
}

/** The repository, its source and the scratch folder of one operation. */
export interface RepoWork {
  readonly git: Git;
  readonly place: RepoFolder;
  readonly source: Source;
  readonly scratch: Scratch;
}

/** The agent's other branches, tags and stashes, as far as their commits can be read. */
export interface Others {
  /** Branches, tags and the newest stash. */
  readonly refs: ReadonlyMap<string, string>;
  readonly stashes: readonly Stash[];
  /** Whether its git directory holds nothing else. */
  readonly is_all: boolean;
}

export const NO_OTHERS: Others = { refs: new Map(), stashes: [], is_all: false };

export async function keepable({ git, scratch }: RepoWork, found: FoundGitDir): Promise<Others> {
  const isReadable = async (value: string, is_tag: boolean): Promise<boolean> => {
    const commit = await commitOf(git, scratch.git_dir, value);
    return commit === value || (is_tag && commit !== null);
  };
  const refs = new Map<string, string>();
  for (const [name, value] of [...found.refs].slice(0, MAX_OTHERS)) {
    if (await isReadable(value, name.startsWith('refs/tags/'))) refs.set(name, value);
  }
  const stashes: Stash[] = [];
  for (const stash of found.stashes.slice(-MAX_OTHERS)) if (await isReadable(stash.commit, false)) stashes.push(stash);
  const is_all = !found.has_more && refs.size === found.refs.size && stashes.length === found.stashes.length;
  return { refs, stashes, is_all };
}

export const commitsOf = ({ refs, stashes }: Pick<Others, 'refs' | 'stashes'>): readonly string[] => [
  ...new Set([...refs.values(), ...stashes.map(({ commit }) => commit)]),
];

/** Fetches commits into the source, with the checks of a fetch from a stranger, and keeps them there. */
export async function store(repoWork: RepoWork, head: string, others: Iterable<string>): Promise<void> {
  const { git, source, scratch, place } = repoWork;
  const refs = new Map([['refs/heads/head', head]]);
  const { attempt_id, branch } = place;
  const moving = [`refs/heads/${branch}`, ...[keptHead, agreedHead, theirHead].map((name) => name(attempt_id))];
  const isKept = async (value: string): Promise<boolean> => {
    // The message of a tag is in no commit.
    if ((await commitOf(git, scratch.git_dir, value)) !== value) return false;
    return (
      (await isAncestor(git, scratch.git_dir, [value, head])) ||
      (await areReachable(git, source.git_dir, { commits: [value], besides: moving }))
    );
  };
  for (const value of others) if (!(await isKept(value))) refs.set(`refs/kept/${value}`, value);
  await writeRefs(scratch.git_dir, refs);
  await mustBeOurs(place);
  const quiet = ['--quiet', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance', '--no-recurse-submodules'];
  const wanted = [`+refs/heads/head:${keptHead(place.attempt_id)}`, `+refs/kept/*:${keptOthers(place.attempt_id)}/*`];
  await git(['fetch', ...quiet, '--end-of-options', scratch.git_dir, ...wanted], { git_dir: source.git_dir });
}

/** Reads only the source from here on: an agent's objects need not match their names, and git trusts the names. */
export async function forgetObjects({ source, scratch }: RepoWork): Promise<void> {
  await writeFile(join(scratch.git_dir, 'objects/info/alternates'), `${source.objects}\n`);
}

/**
 * Gives the folder a new git directory, with the index of the scratch. The agent's own one is removed: a person who runs
 * git in the folder would run its configuration. If it holds more than was kept, it is moved aside; the result says where.
 */
export async function renewGitDir(repoWork: RepoWork, head: string, others: Others): Promise<string | null> {
  const { scratch, place, source } = repoWork;
  const branch = `refs/heads/${place.branch}`;
  const refs = new Map(
    [...others.refs].filter(([name]) => !name.startsWith(`${branch}/`) && !branch.startsWith(`${name}/`)),
  );
  const fresh = join(scratch.folder, 'fresh');
  await writeGitDir(fresh, { ...planOf(repoWork), source, refs: refs.set(branch, head) });
  await writeStashes(fresh, others.stashes);
  await copyFile(join(scratch.git_dir, 'index'), join(fresh, 'index'));
  const own = join(place.folder, '.git');
  await mustBeOurs(place);
  const aside = others.is_all ? null : await keepAside(scratch.root, place.attempt_id, own);
  // It is missing when the server ended between the next two lines.
  await rename(own, join(scratch.folder, 'found')).catch(() => {});
  await rename(fresh, own);
  return aside;
}

/** All stashes except the newest are only in the log of its reference. */
async function writeStashes(git_dir: string, stashes: readonly Stash[]): Promise<void> {
  if (stashes.length === 0) return;
  const before = (at: number) => stashes[at - 1]?.commit ?? '0'.repeat(stashes[at]?.commit.length ?? 0);
  const lines = stashes.map(({ commit, note }, at) => `${before(at)} ${commit} ${note}\n`);
  await mkdir(join(git_dir, 'logs/refs'), { recursive: true });
  await writeFile(join(git_dir, 'logs/refs/stash'), lines.join(''));
}

export const planOf = ({ source, place }: Pick<RepoWork, 'source' | 'place'>): GitDirPlan => ({
  source,
  branch: place.branch,
  refs: new Map(),
});

export const treeOf = async ({ git, scratch }: RepoWork, commit: string): Promise<string> =>
  said(await git(['rev-parse', '--verify', '--end-of-options', `${commit}^{tree}`], { git_dir: scratch.git_dir }));
