import { said } from '#runner/git/git';
import { writeRefs } from '#runner/git/git-dir';
import { findHead } from '#runner/git/prepare';
import { jobHead } from '#runner/git/refs';
import type { Scratch } from '#runner/git/scratch';
import type { Source } from '#runner/git/source';
import { openSource } from '#runner/git/source';
import type { PlannedMove, Refusal, ShipRepo } from './ship-plan.ts';
import type { ShipTools } from './ship-tools.ts';

/** The result for one repository. Left out: it has nothing to merge. */
export type RepoPlan =
  | { readonly kind: 'move'; readonly move: PlannedMove; readonly notes: readonly string[] }
  | { readonly kind: 'conflicts'; readonly paths: readonly string[] }
  | { readonly kind: 'left_out' }
  | ({ readonly kind: 'refused' } & Refusal);

export const refused = (reason: Refusal['reason'], text: string): RepoPlan => ({ kind: 'refused', reason, text });

/** A repository with the commits that a merge begins with. */
export interface OpenedRepo {
  readonly source: Source;
  /** The commit of the attempt; null when it has none yet. */
  readonly head: string | null;
  /** The commit of the target branch. */
  readonly target: string;
}

export async function openRepo({ git }: ShipTools, repo: ShipRepo): Promise<OpenedRepo | Refusal> {
  const source = await openSource(git, repo.source);
  const ref = `refs/heads/${repo.target_branch}`;
  const format = '--format=%(refname) %(objectname) %(symref)';
  const listed = await git(['for-each-ref', format, ref], { git_dir: source.git_dir });
  const [name, target = '', symbolic = ''] = (said(listed).split('\n')[0] ?? '').split(' ');
  // Git also lists branches whose names go on after a slash.
  if (name !== ref) return { reason: 'no_target', text: `${repo.repo_name} has no branch ${repo.target_branch}.` };
  if (symbolic !== '')
    return {
      reason: 'no_target',
      text: `${repo.target_branch} in ${repo.repo_name} is only a name for another branch.`,
    };
  return { source, head: await findHead(git, source.git_dir, repo), target };
}

/** Fetches the new commit into the source, with the checks of a fetch from a stranger. Only a hidden reference shows it. */
export async function storeCommit(
  { git, step, job_id }: ShipTools,
  { source, scratch, repo, commit }: { source: Source; scratch: Scratch; repo: ShipRepo; commit: string },
): Promise<void> {
  await step('references of scratch', () => writeRefs(scratch.git_dir, new Map([['refs/heads/head', commit]])));
  const quiet = ['--quiet', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance', '--no-recurse-submodules'];
  const wanted = `+refs/heads/head:${jobHead(repo.attempt_id, job_id)}`;
  await git(['fetch', ...quiet, '--end-of-options', scratch.git_dir, wanted], { git_dir: source.git_dir });
}
