import { copyFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitOptions } from '#runner/git/git';
import { names } from '#runner/git/git';
import type { Source } from '#runner/git/source';
import type { Difference } from './diff.ts';
import { indexInfo } from './diff.ts';
import type { WorkTree } from './ship-plan.ts';
import type { ShipTools } from './ship-tools.ts';

/** A person's work tree, which is read and written with a git directory and copies of its index that are ours. */
export interface PersonWorkTree extends AsyncDisposable {
  readonly work_tree: WorkTree;
  readonly git_dir: string;
  /** The options of a git command that works with an index of ours. */
  readonly options: (index_file: string) => GitOptions;
  /** Makes a copy of the index, in which the files that differ are those of one side. */
  readonly copyIndex: (name: string, all?: readonly Difference[], side?: 'old' | 'new') => Promise<string>;
  /** The tracked files that are not as the index says. */
  readonly changed: (index_file: string) => Promise<readonly string[]>;
}

export async function openPersonWorkTree(
  tools: ShipTools,
  source: Source,
  work_tree: WorkTree,
): Promise<PersonWorkTree> {
  const { git, step } = tools;
  const scratch = await tools.scratch({ source });
  const { git_dir } = scratch;
  const { conversion } = await tools.settings(work_tree.git_dir);
  await step('attributes', () => copyOr(join(source.git_dir, 'info/attributes'), join(git_dir, 'info/attributes')));
  const options = (index_file: string): GitOptions => ({
    git_dir,
    work_tree: work_tree.path,
    index_file,
    settings: conversion,
  });
  return {
    work_tree,
    git_dir,
    options,
    copyIndex: async (name, all = [], side = 'new') => {
      const file = join(scratch.folder, name);
      await step('copy of the index', () => copyIndex(join(work_tree.git_dir, 'index'), file));
      const args = ['update-index', '--add', '--replace', '-z', '--index-info'];
      if (all.length > 0) await git(args, { ...options(file), input: indexInfo(all, side) });
      return file;
    },
    changed: async (index_file) => {
      const known = options(index_file);
      await git(['update-index', '-q', '--ignore-submodules', '--refresh'], { ...known, answers: [1] });
      const found = await git(['diff-files', '-z', '--name-only', '--ignore-submodules=all'], known);
      return [...new Set(names(found.stdout))];
    },
    [Symbol.asyncDispose]: () => step('end of scratch', async () => scratch[Symbol.asyncDispose]()),
  };
}

/** With its time: a file that was changed within the second in which the index was written must be read again. */
async function copyIndex(index: string, file: string): Promise<void> {
  const found = await stat(index).catch(() => null);
  if (found === null) return;
  await copyFile(index, file);
  await utimes(file, found.atime, found.mtime);
}

async function copyOr(from: string, to: string): Promise<void> {
  await copyFile(from, to).catch(() => writeFile(to, ''));
}
