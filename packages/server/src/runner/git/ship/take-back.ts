import type { Source } from '#runner/git/source';
import { commitOf } from '#runner/git/source';
import { findObstacle } from './clean.ts';
import { clearScratch } from './clear-scratch.ts';
import { holdsLock, isOnWayBack, lockIndex, noteWayBack, unlockIndex } from './lock.ts';
import type { OneMove, ShipWork } from './move-refs.ts';
import { dropJob, isCheckedOutAt, moveRefs, standingOf } from './move-refs.ts';
import { branchOf } from './refusal-texts.ts';
import type { CarriedOut, PlannedMove, Refusal, WorkTree } from './ship-plan.ts';
import type { ShipTools } from './ship-tools.ts';
import { writeFiles } from './write-files.ts';

/** Undoes the moves that were made, when another one was refused. Partial if a person has built on one of them. */
export async function takeBack(
  tools: ShipTools,
  works: readonly ShipWork[],
  refusal: Refusal,
  mustBeOurs: () => Promise<void>,
): Promise<CarriedOut> {
  let is_partial = false;
  for (const work of works) {
    const { move, source } = work;
    const is_done = move.from !== move.to && (await standingOf(tools.git, source, move)) === 'done';
    if (is_done) await mustBeOurs();
    if (is_done && !(await takeOneBack(tools, work))) is_partial = true;
    if (!is_done) await bringFilesBack(tools, work);
    if (move.work_tree !== null) await unlockIndex(tools, move.work_tree);
  }
  const commits = is_partial ? await describe(tools, works) : '';
  const { job_id } = tools;
  for (const { move, source } of works) {
    await dropJob(tools.git, source.git_dir, { attempt_id: move.attempt_id, job_id });
  }
  await clearScratch(tools);
  if (!is_partial) return { status: 'refused', ...refusal };
  return {
    status: 'partial',
    reason: refusal.reason,
    text: `${refusal.text} Other repositories have it already: ${commits}`,
  };
}

/** Completes what a worker had begun that was killed after it had taken the branch back, before its files. */
export async function bringFilesBack(tools: ShipTools, { move, source }: ShipWork): Promise<void> {
  const { work_tree } = move;
  if (work_tree !== null && (await isOnWayBack(tools, work_tree))) await writeBack(tools, source, move, work_tree);
}

async function writeBack(tools: ShipTools, source: Source, move: PlannedMove, work_tree: WorkTree): Promise<void> {
  const { repo_id, from, to } = move;
  // A person may have begun another branch at the new commit.
  const is_new = await isCheckedOutAt(tools.git, work_tree.git_dir, to);
  const files = is_new ? { from, to } : { from: to, to: from, is_back: true };
  await writeFiles(tools, source, { repo_id, work_tree, ...files });
}

/** False when the branch has gone on, or its files cannot follow; then it stays where it is, with its files. */
async function takeOneBack(tools: ShipTools, { move, source }: ShipWork): Promise<boolean> {
  const { work_tree, from, to, ref } = move;
  const was_locked = work_tree !== null && (await holdsLock(tools, work_tree));
  if (work_tree !== null && !was_locked) {
    if (!(await lockIndex(tools, work_tree))) return false;
    if ((await findObstacle(tools, source, work_tree, { ...move, from: to, to: from })) !== null) return false;
  }
  const also: OneMove[] = [];
  for (const one of move.also) {
    // A reference that the move has made stays: nothing else knows of it.
    const is_moved = one.from !== null && (await commitOf(tools.git, source.git_dir, one.ref)) === one.to;
    if (is_moved) also.push({ ref: one.ref, from: one.to, to: one.from });
  }
  if (work_tree !== null) await noteWayBack(tools, work_tree);
  const moved = await moveRefs(tools.git, source, {
    git_dir: work_tree?.git_dir ?? source.git_dir,
    note: `errand: take back ${move.kind} of ${move.branch}`,
    all: [{ ref, from: to, to: from }, ...also],
  });
  if (work_tree !== null && (moved || was_locked)) await writeBack(tools, source, move, work_tree);
  return moved;
}

/** Where the branch of each repository stands, for a person who has to decide. */
export async function describe({ git }: ShipTools, works: readonly ShipWork[]): Promise<string> {
  const lines: string[] = [];
  for (const { move, source } of works) {
    const at = await commitOf(git, source.git_dir, move.ref);
    const branch = `${branchOf(move.ref)} of ${move.repo_name}`;
    lines.push(`${branch} is at ${at ?? 'no commit'} (before: ${move.from}, merged: ${move.to})`);
  }
  return `${lines.join('; ')}.`;
}
