import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git } from '#runner/git/git';
import { names, said } from '#runner/git/git';
import { GitError } from '#runner/git/git-error';
import type { Source } from '#runner/git/source';
import { mergeAttributes } from './attributes.ts';
import type { ShipTools } from './ship-tools.ts';

const MAX_ATTRIBUTES = 1024 * 1024;
const CONFLICTS = 1;
const FAILED = 128;
const NO_BASE = 1;

/** The tree of a merge. With conflicts it holds their markers. */
export interface MergedTree {
  readonly tree: string;
  /** As bytes; empty for a merge without conflicts. */
  readonly conflicts: readonly string[];
}

/** A repository with a git directory in which nothing of its configuration is known. */
export interface MergePlace {
  readonly source: Source;
  readonly git_dir: string;
}

/** Lets merges in the scratch directory follow the attributes of a commit. */
export async function useAttributesOf({ git, step }: ShipTools, git_dir: string, commit: string): Promise<void> {
  const found = await git(['cat-file', 'blob', `${commit}:.gitattributes`], {
    git_dir,
    answers: [FAILED],
    cut_at: MAX_ATTRIBUTES,
  });
  if (found.code !== 0) return;
  const text = mergeAttributes(found.stdout.toString('latin1'));
  await step('attributes', () => writeFile(join(git_dir, 'info/attributes'), text, 'latin1'));
}

/** Merges two commits; null when they have no common history. */
export async function mergeTrees(
  git: Git,
  git_dir: string,
  [ours, theirs]: readonly [string, string],
  is_root = false,
): Promise<MergedTree | null> {
  const how = ['--write-tree', '-z', '--name-only', '--no-messages'];
  const allow = is_root ? ['--allow-unrelated-histories'] : [];
  const merged = await git(['merge-tree', ...how, ...allow, ours, theirs], { git_dir, answers: [CONFLICTS, FAILED] });
  if (merged.code === FAILED) {
    const base = await git(['merge-base', ours, theirs], { git_dir, answers: [NO_BASE] });
    if (base.code === NO_BASE) return null;
    throw new GitError('The commits cannot be merged: git could not read all of them.');
  }
  const [tree = '', ...conflicts] = names(merged.stdout);
  return { tree, conflicts: [...new Set(conflicts)].filter((name) => name !== '') };
}

export const treeIn = async (git: Git, git_dir: string, commit: string): Promise<string> =>
  said(await git(['rev-parse', '--verify', '--end-of-options', `${commit}^{tree}`], { git_dir }));
