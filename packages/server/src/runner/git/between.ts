import type { Git } from './git.ts';
import type { RepoFolder } from './repo-folder.ts';
import { openScratch } from './scratch.ts';
import { commitOf, openSource } from './source.ts';

const MAX_BETWEEN = 8 * 1024 * 1024;

/** Changes between two commits, without the lines around them. */
export interface Between {
  readonly patch: string;
  readonly is_cut: boolean;
}

/** Compares two commits of the source, as `readChanges` does; null when one of them is gone. */
export async function readBetween(
  git: Git,
  root: string,
  { source: path, attempt_id }: Pick<RepoFolder, 'source' | 'attempt_id'>,
  [from, to]: readonly [string, string],
): Promise<Between | null> {
  const source = await openSource(git, path);
  await using scratch = await openScratch(root, attempt_id, { source, branch: null, refs: new Map() });
  const { git_dir } = scratch;
  for (const commit of [from, to]) if ((await commitOf(git, git_dir, commit)) === null) return null;
  const shown = ['--no-ext-diff', '--no-textconv', '--no-color', '--src-prefix=a/', '--dst-prefix=b/'];
  const { stdout, is_cut } = await git(['diff-tree', '-r', '-M', '-p', '-U0', ...shown, from, to, '--'], {
    git_dir,
    cut_at: MAX_BETWEEN,
  });
  // The last file of a cut patch may lack hunks.
  const end = is_cut ? Math.max(0, stdout.lastIndexOf('\ndiff --git ') + 1) : stdout.length;
  return { patch: stdout.subarray(0, end).toString(), is_cut };
}
