import { agreedHead, isCheckedOut, keptHead, rebasedHead, theirHead } from '#runner/git/refs';
import { commitOf, isAncestor } from '#runner/git/source';
import type { MergePlace } from './merge-trees.ts';
import { mergeTrees, useAttributesOf } from './merge-trees.ts';
import { commitTree } from './prepare-merge.ts';
import type { RepoPlan } from './prepare-repo.ts';
import { openRepo, refused, storeCommit } from './prepare-repo.ts';
import { hasMerges, MAX_REBASED, replay } from './replay.ts';
import type { AlsoMove, RebaseOrder, ShipRepo } from './ship-plan.ts';
import type { ShipTools } from './ship-tools.ts';
import { operationOn } from './work-trees.ts';

/** Computes the branch of the attempt on top of its target, or with the conflicts of the two. */
export async function prepareRebase(tools: ShipTools, repo: ShipRepo, order: RebaseOrder): Promise<RepoPlan> {
  const { git } = tools;
  const opened = await openRepo(tools, repo);
  if ('reason' in opened) return { kind: 'refused', ...opened };
  const { source, head, target } = opened;
  if (head === null) return { kind: 'left_out' };
  const { git_dir } = source;
  const ref = `refs/heads/${repo.branch}`;
  const from = await commitOf(git, git_dir, ref);
  if (from === null) return refused('no_target', `${repo.repo_name} has no branch ${repo.branch}.`);
  if (!(await isAncestor(git, git_dir, [from, head])))
    return refused('moved', `${repo.branch} in ${repo.repo_name} has commits that the attempt does not build on.`);
  if ((await isCheckedOut(git, git_dir, ref)) || (await operationOn(git_dir, ref)) !== null)
    return refused('checked_out', `${repo.branch} is checked out in a work tree of ${repo.repo_name}. Leave it first.`);
  await using scratch = await tools.scratch({ source });
  const place = { source, git_dir: scratch.git_dir };
  await useAttributesOf(tools, place.git_dir, target);
  const to = order.with_markers
    ? await commitMarkers(tools, place, { head, target, order })
    : await rebase(tools, place, { head, target });
  if (typeof to === 'object') return to;
  await storeCommit(tools, { source, scratch, repo, commit: to });
  const also = from === to ? [] : await alsoMoved(tools, git_dir, repo, { head, to });
  const { repo_id, repo_name, attempt_id, branch } = repo;
  const known = { repo_id, repo_name, source: repo.source, attempt_id, branch };
  const move = { ...known, kind: 'rebase', ref, from, to, head, base: target, also, work_tree: null } as const;
  return { kind: 'move', move, notes: [] };
}

interface Heads {
  readonly head: string;
  readonly target: string;
}

async function rebase({ git }: ShipTools, place: MergePlace, { head, target }: Heads): Promise<string | RepoPlan> {
  const { git_dir } = place;
  const has_merges = await hasMerges(git, git_dir, { from: target, to: head });
  if (!has_merges && (await isAncestor(git, git_dir, [target, head]))) return head;
  const merged = await mergeTrees(git, git_dir, [target, head]);
  if (merged === null) return refused('unrelated', 'The two branches have no common history.');
  if (merged.conflicts.length > 0) return { kind: 'conflicts', paths: merged.conflicts };
  const replayed = await replay(git, place, { onto: target, head });
  if (replayed.status === 'too_many')
    return refused('too_many_commits', `The branch has more than ${MAX_REBASED} commits.`);
  if (replayed.status === 'conflicts') return { kind: 'conflicts', paths: replayed.paths };
  if (replayed.tree !== merged.tree && has_merges)
    return refused('unresolved', 'The branch has merge commits with changes of their own, which a rebase would lose.');
  return replayed.commit;
}

/** Commits the merge as git leaves it, so that the agent finds the conflicts in its files. */
async function commitMarkers(
  tools: ShipTools,
  place: MergePlace,
  { head, target, order }: Heads & { readonly order: RebaseOrder },
): Promise<string | RepoPlan> {
  const merged = await mergeTrees(tools.git, place.git_dir, [head, target]);
  if (merged === null) return refused('unrelated', 'The two branches have no common history.');
  if (merged.conflicts.length === 0) return { kind: 'left_out' };
  return commitTree(tools, place, { tree: merged.tree, parents: [head, target], order });
}

/**
 * The references of the attempt that move together with its branch. `keptHead` does not move yet: until the next run
 * moves the folder to the new commit, the work in the folder is on top of the old one.
 */
async function alsoMoved(
  { git }: ShipTools,
  git_dir: string,
  { attempt_id }: ShipRepo,
  { head, to }: { readonly head: string; readonly to: string },
): Promise<readonly AlsoMove[]> {
  const kept = (await commitOf(git, git_dir, keptHead(attempt_id))) ?? head;
  const theirs = await commitOf(git, git_dir, theirHead(attempt_id));
  const moved = async (ref: string, value: string) => ({ ref, from: await commitOf(git, git_dir, ref), to: value });
  const all = [
    await moved(agreedHead(attempt_id), kept),
    await moved(rebasedHead(attempt_id), to),
    ...(theirs === null ? [] : [await moved(theirHead(attempt_id), to)]),
  ];
  return all.filter((one) => one.from !== one.to);
}
