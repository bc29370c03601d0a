import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { listOf } from '#runner/git/add-files';
import type { Git } from '#runner/git/git';
import { names, said } from '#runner/git/git';
import type { Source } from '#runner/git/source';
import type { Difference } from './diff.ts';
import { differences, SUBMODULE } from './diff.ts';
import { inTheWay } from './in-the-way.ts';
import type { PersonWorkTree } from './person-work-tree.ts';
import { openPersonWorkTree } from './person-work-tree.ts';
import { inWorkTree, readable } from './refusal-texts.ts';
import type { PlannedMove, Refusal, ShipReason, WorkTree } from './ship-plan.ts';
import type { ShipTools } from './ship-tools.ts';

const OPERATIONS = [
  'MERGE_HEAD',
  'CHERRY_PICK_HEAD',
  'REVERT_HEAD',
  'rebase-merge',
  'rebase-apply',
  'BISECT_LOG',
  'sequencer',
];
const CONVERTED = ['filter', 'ident', 'working-tree-encoding'];

export type CleanMove = Pick<PlannedMove, 'ref' | 'branch' | 'from' | 'to'>;

/** Finds out why the files of a work tree cannot follow the branch; null when they can. Reads only. */
export async function findObstacle(
  tools: ShipTools,
  source: Source,
  work_tree: WorkTree,
  move: CleanMove,
): Promise<Refusal | null> {
  const refuse = (reason: ShipReason, why: string) => inWorkTree({ ...move, path: work_tree.path }, reason, why);
  for (const name of OPERATIONS) {
    if (await exists(join(work_tree.git_dir, name)))
      return refuse('in_operation', `, where a merge, rebase or bisect is under way (${name}). End it first.`);
  }
  if (await isSplit(tools.git, work_tree.git_dir))
    return refuse('sparse', ' with a split index, which Errand does not write.');
  await using theirs = await openPersonWorkTree(tools, source, work_tree);
  const index = await theirs.copyIndex('found.index');
  const uncommitted = await findUncommitted(tools, theirs, index, move);
  if (uncommitted !== null) return refuse(...uncommitted);
  const all = await differences(tools.git, theirs.git_dir, [move.from, move.to]);
  const unwritable = await findUnwritable(tools, theirs, all);
  return unwritable === null ? null : refuse(...unwritable);
}

type Why = readonly [ShipReason, string];

const NOT_CLEAN: Why = ['not_clean', ' with changes that are in no commit. Commit or stash them, then merge again.'];

async function findUncommitted({ git }: ShipTools, theirs: PersonWorkTree, index: string, { from }: CleanMove) {
  const known = theirs.options(index);
  const tags = names((await git(['ls-files', '-v', '-z'], known)).stdout).map(([tag]) => tag ?? '');
  if (tags.includes('M')) return NOT_CLEAN;
  if (tags.some((tag) => tag !== 'H'))
    return ['sparse', ' as a part of its files (sparse checkout, or files that git was told to skip).'] as const;
  const staged = await git(['diff-index', '--cached', '--quiet', '--ignore-submodules=none', from, '--'], {
    ...known,
    answers: [1],
  });
  if (staged.code !== 0) return NOT_CLEAN;
  return (await theirs.changed(index)).length > 0 ? NOT_CLEAN : null;
}

/** Files of the new commit that git would need a program for, or that are not ours to overwrite. */
async function findUnwritable(
  { git }: ShipTools,
  theirs: PersonWorkTree,
  all: readonly Difference[],
): Promise<Why | null> {
  const submodule = all.find((one) => one.old?.mode === SUBMODULE || one.new?.mode === SUBMODULE);
  if (submodule !== undefined)
    return ['submodules', `, and the merge changes the submodule ${readable(submodule.path)}, which Errand does not.`];
  const blocked = await inTheWay(theirs.work_tree.path, all);
  if (blocked !== null)
    return ['not_clean', `, where ${readable(blocked)} is in no commit and would be overwritten. Move it away first.`];
  const written = all.filter((one) => one.new !== null).map(({ path }) => path);
  if (written.length === 0) return null;
  const index = await theirs.copyIndex('attributes.index', all, 'new');
  const said_of = await git(['check-attr', '--cached', '-z', '--stdin', ...CONVERTED], {
    ...theirs.options(index),
    input: listOf(written),
  });
  const parts = names(said_of.stdout);
  for (let at = 0; at + 2 < parts.length; at += 3) {
    if (parts[at + 2] === 'unspecified' || parts[at + 2] === 'unset') continue;
    const what = `${parts[at + 1]}=${parts[at + 2]}`;
    return [
      'filters',
      `, and ${readable(parts[at] ?? '')} is converted by a program (${what}), which Errand does not run.`,
    ];
  }
  return null;
}

/** Git says it of an index that it has read; most folders lack the second file, and need not be asked about. */
async function isSplit(git: Git, git_dir: string): Promise<boolean> {
  const found = await readdir(git_dir);
  if (!found.some((name) => name.startsWith('sharedindex.'))) return false;
  return said(await git(['rev-parse', '--shared-index-path'], { git_dir })) !== '';
}

const exists = async (path: string): Promise<boolean> => (await lstat(path).catch(() => null)) !== null;
