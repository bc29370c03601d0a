import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MergeMode } from '#domain/git-job';
import { AttemptId, RepoId } from '#domain/ids';
import { createGit } from '#runner/git/git';
import { createShip } from '#runner/git/ship/ship';
import type { Prepared, ShipOrder, ShipRepo } from '#runner/git/ship/ship-plan';
import type { ShipNeeds } from '#runner/git/ship/ship-tools';
import { plainGit } from '#runner/git/testing/repository';
import type { Files, Planned } from './history.ts';
import { makeHistory } from './history.ts';

export const ATTEMPT = AttemptId.parse('018f3c00-0000-7000-8000-00000000a001');
export const JOB = '018f3c00-0000-7000-8000-00000000b001';
export const BRANCH = 'errand/work';

export const BASE: Files = {
  'a.txt': 'one\ntwo\nthree\nfour\nfive\n',
  'b.txt': 'b\n',
  'dir/c.txt': 'c\n',
  '.gitignore': '*.log\n',
};

/** The files of the base commit, of the target now, and of the attempt. */
export interface Story {
  readonly base?: Files;
  /** Unless given, the target has not moved on. */
  readonly target?: Files;
  readonly work?: Files;
  readonly init?: readonly string[];
}

export interface ShipBed extends AsyncDisposable {
  readonly folder: string;
  readonly root: string;
  readonly needs: ShipNeeds;
  /** Makes a repository with `main` checked out, and an attempt at it. */
  readonly repo: (name: string, story?: Story) => Promise<MadeRepo>;
}

export interface MadeRepo extends ShipRepo {
  readonly commits: ReadonlyMap<string, string>;
}

export const WORK: Files = { ...BASE, 'a.txt': 'ONE\ntwo\nthree\nfour\nfive\n', 'new/d.txt': 'd\n' };
export const MOVED: Files = { ...BASE, 'a.txt': 'one\ntwo\nthree\nfour\nFIVE\n', 'e.txt': 'e\n' };

export async function aShipBed(options: Partial<ShipNeeds> = {}): Promise<ShipBed> {
  const folder = await mkdtemp(join(tmpdir(), 'errand ship ü-'));
  const root = join(folder, 'attempts');
  await mkdir(root);
  let number = 0;
  return {
    folder,
    root,
    needs: { git: createGit(null), root, lock_wait_ms: 0, ...options },
    repo: async (name, story) => {
      number += 1;
      const repo_id = RepoId.parse(`018f3c00-0000-7000-8000-00000000c00${number}`);
      return makeRepo({ repo_id, repo_name: name, source: join(folder, name) }, story);
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

async function makeRepo(
  place: Pick<ShipRepo, 'repo_id' | 'repo_name' | 'source'>,
  { base = BASE, target, work = WORK, init = [] }: Story = {},
): Promise<MadeRepo> {
  await mkdir(place.source, { recursive: true });
  plainGit(place.source, 'init', '-q', '-b', 'main', '--template=', ...init);
  const heads = [`refs/heads/${BRANCH}`, ...['head', 'branch'].map((name) => `refs/errand/${ATTEMPT}/${name}`)];
  const plan: Planned[] = [
    { name: 'base', files: base, refs: target === undefined ? ['refs/heads/main'] : [] },
    ...(target === undefined ? [] : [{ name: 'target', from: 'base', files: target, refs: ['refs/heads/main'] }]),
    { name: 'work', from: 'base', files: work, refs: heads },
  ];
  const commits = makeHistory(place.source, plan);
  plainGit(place.source, 'config', 'user.name', 'Ada');
  plainGit(place.source, 'config', 'user.email', 'ada@example.com');
  if (!init.includes('--bare')) plainGit(place.source, 'reset', '-q', '--hard');
  const base_commit = commits.get('base') ?? '';
  return { ...place, attempt_id: ATTEMPT, branch: BRANCH, target_branch: 'main', base_commit, commits };
}

export const anOrder = (mode: MergeMode, more: Partial<ShipOrder> = {}): ShipOrder => ({
  job_id: JOB,
  mode,
  message: 'Fix login (WEB-12)',
  author: { name: 'Grace', email: 'grace@example.com' },
  marker_paths: [],
  ...more,
});

const ours = () => Promise.resolve(true);

/** Prepares and carries out. The answer of the preparation if it was not ready. */
export async function merge(needs: ShipNeeds, repos: readonly ShipRepo[], mode: MergeMode) {
  const ship = createShip(needs);
  const prepared = await ship.prepareMerge(repos, anOrder(mode));
  return prepared.status === 'ready' ? ship.carryOut(JOB, prepared.moves, ours) : prepared;
}

export function movesOf(prepared: Prepared) {
  if (prepared.status !== 'ready') throw new Error(`Not ready: ${JSON.stringify(prepared)}`);
  return prepared.moves;
}
