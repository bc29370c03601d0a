import { said } from '#runner/git/git';
import { isAncestor } from '#runner/git/source';
import { findObstacle } from './clean.ts';
import { isUnlocked } from './lock.ts';
import { findMarkers } from './markers.ts';
import type { MergePlace } from './merge-trees.ts';
import { mergeTrees, treeIn, useAttributesOf } from './merge-trees.ts';
import type { OpenedRepo, RepoPlan } from './prepare-repo.ts';
import { openRepo, refused, storeCommit } from './prepare-repo.ts';
import { inWorkTree } from './refusal-texts.ts';
import { hasMerges, MAX_REBASED, replay } from './replay.ts';
import type { PlannedMove, ShipOrder, ShipRepo } from './ship-plan.ts';
import type { ShipTools } from './ship-tools.ts';
import { findWorkTree } from './work-trees.ts';

/** Computes the merge of one repository, and whether its target can be moved. */
export async function prepareMerge(tools: ShipTools, repo: ShipRepo, order: ShipOrder): Promise<RepoPlan> {
  const { git } = tools;
  const opened = await openRepo(tools, repo);
  if ('reason' in opened) return { kind: 'refused', ...opened };
  const { source, head, target } = opened;
  if (head === null || (await isUnchanged(tools, opened, repo))) return { kind: 'left_out' };
  await using scratch = await tools.scratch({ source });
  const place = { source, git_dir: scratch.git_dir };
  const unresolved = await findMarkers(git, place.git_dir, head, order.marker_paths);
  if (unresolved !== null)
    return refused('unresolved', `${unresolved} in ${repo.repo_name} still has conflict markers (<<<<<<<).`);
  const result = await computeMerge(tools, place, { head, target, order });
  if (typeof result === 'object') return result;
  const settings = await tools.settings(source.git_dir);
  const move = moveOf(repo, { head, target, to: result });
  if (result === target) return { kind: 'move', move, notes: [] };
  await storeCommit(tools, { source, scratch, repo, commit: result });
  const found = await findWorkTree(git, source, move.ref, settings.names_work_tree);
  if ('reason' in found) return { kind: 'refused', ...found };
  const { work_tree } = found;
  if (work_tree !== null) {
    const why = ', where another git works (index.lock). If none does, remove that file.';
    if (!(await isUnlocked(tools, work_tree)))
      return { kind: 'refused', ...inWorkTree({ ...move, path: work_tree.path }, 'busy', why) };
    const obstacle = await findObstacle(tools, source, work_tree, move);
    if (obstacle !== null) return { kind: 'refused', ...obstacle };
  }
  return { kind: 'move', move: { ...move, work_tree }, notes: settings.notes };
}

async function isUnchanged({ git }: ShipTools, { source, head }: OpenedRepo, repo: ShipRepo): Promise<boolean> {
  if (head === repo.base_commit) return true;
  const trees = [`${head}^{tree}`, `${repo.base_commit}^{tree}`];
  const [ours, base] = said(await git(['rev-parse', ...trees], { git_dir: source.git_dir })).split('\n');
  return ours === base;
}

const moveOf = (
  repo: ShipRepo,
  { head, target, to }: Pick<Wanted, 'head' | 'target'> & { to: string },
): PlannedMove => ({
  repo_id: repo.repo_id,
  repo_name: repo.repo_name,
  source: repo.source,
  attempt_id: repo.attempt_id,
  branch: repo.branch,
  kind: 'merge',
  ref: `refs/heads/${repo.target_branch}`,
  from: target,
  to,
  head,
  base: target,
  also: [],
  work_tree: null,
});

interface Wanted {
  readonly head: string;
  readonly target: string;
  readonly order: ShipOrder;
}

/** The commit that the target is to have: its own if it has the work already. */
async function computeMerge(tools: ShipTools, place: MergePlace, wanted: Wanted): Promise<string | RepoPlan> {
  const { git } = tools;
  const { head, target, order } = wanted;
  if (await isAncestor(git, place.git_dir, [head, target])) return target;
  await useAttributesOf(tools, place.git_dir, target);
  const merged = await mergeTrees(git, place.git_dir, [target, head]);
  if (merged === null) return refused('unrelated', 'The two branches have no common history.');
  if (merged.conflicts.length > 0) return { kind: 'conflicts', paths: merged.conflicts };
  if (merged.tree === (await treeIn(git, place.git_dir, target))) return target;
  if (order.mode === 'rebase') return computeRebase(tools, place, wanted, merged.tree);
  return commitTree(tools, place, {
    tree: merged.tree,
    parents: order.mode === 'merge' ? [target, head] : [target],
    order,
  });
}

/** The commits of the attempt one by one; as one commit where its merge commits hold changes that no other commit has. */
async function computeRebase(tools: ShipTools, place: MergePlace, { head, target, order }: Wanted, tree: string) {
  const { git } = tools;
  const has_merges = await hasMerges(git, place.git_dir, { from: target, to: head });
  if (!has_merges && (await isAncestor(git, place.git_dir, [target, head]))) return head;
  const replayed = await replay(git, place, { onto: target, head });
  if (replayed.status === 'too_many')
    return refused('too_many_commits', `The branch has more than ${MAX_REBASED} commits. Merge it, or squash.`);
  if (replayed.status === 'done' && (replayed.tree === tree || !has_merges)) return replayed.commit;
  if (replayed.status === 'conflicts' && !has_merges) return { kind: 'conflicts', paths: replayed.paths } as const;
  return commitTree(tools, place, { tree, parents: [target], order });
}

interface NewCommit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly order: Pick<ShipOrder, 'message' | 'author'>;
}

export async function commitTree({ git }: ShipTools, place: MergePlace, { tree, parents, order }: NewCommit) {
  const made = await git(['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent]), '-F', '-'], {
    git_dir: place.git_dir,
    identity: place.source.identity,
    author: order.author,
    input: `${order.message.replaceAll('\0', '').trim() || 'Merge of an attempt'}\n`,
  });
  return said(made);
}
