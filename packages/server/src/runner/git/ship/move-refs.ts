import type { Git } from '#runner/git/git';
import { dropRef, jobHead, mergedHead, putRef } from '#runner/git/refs';
import type { Source } from '#runner/git/source';
import { commitOf, isAncestor } from '#runner/git/source';
import type { PlannedMove } from './ship-plan.ts';

/** The state of a reference of a plan: at its old commit, at or beyond its new one, or elsewhere. */
export type Standing = 'before' | 'done' | 'moved';

/** A repository of a plan, as it was found. */
export interface ShipWork {
  readonly move: PlannedMove;
  readonly source: Source;
  readonly standing: Standing;
}

export async function standingOf(git: Git, { git_dir }: Source, { ref, from, to }: PlannedMove): Promise<Standing> {
  const at = await commitOf(git, git_dir, ref);
  if (at === null) return 'moved';
  if (at === to) return 'done';
  // Another repository has taken the place of the one that the plan was made for.
  if ((await commitOf(git, git_dir, to)) === null) return 'moved';
  // Also with a person's commits on top.
  if (await isAncestor(git, git_dir, [to, at])) return 'done';
  return at === from ? 'before' : 'moved';
}

export interface OneMove {
  readonly ref: string;
  readonly from: string | null;
  readonly to: string;
}

/** Moves all of these references or none. False when one of them has moved meanwhile. */
export async function moveRefs(
  git: Git,
  source: Source,
  { git_dir, note, all }: { readonly git_dir: string; readonly note: string; readonly all: readonly OneMove[] },
): Promise<boolean> {
  const lines = all.flatMap(({ ref, from, to }) => [
    'option no-deref',
    `update ${ref} ${to} ${from ?? '0'.repeat(to.length)}`,
  ]);
  const moved = await git(['update-ref', '-m', note, '--stdin'], {
    git_dir,
    identity: source.identity,
    input: `start\n${lines.join('\n')}\nprepare\ncommit\n`,
    answers: [1, 128],
  });
  return moved.code === 0;
}

/** The moves of a plan that a killed git has not made. */
export async function missingMoves(
  git: Git,
  { git_dir }: Source,
  all: readonly OneMove[],
): Promise<readonly OneMove[]> {
  const missing: OneMove[] = [];
  for (const one of all) if ((await commitOf(git, git_dir, one.ref)) === one.from) missing.push(one);
  return missing;
}

/** Keeps the result under a reference of the attempt, and drops that of the job. */
export async function settleRefs(git: Git, { git_dir }: Source, move: PlannedMove, job_id: string): Promise<void> {
  if (move.kind === 'merge') await putRef(git, git_dir, { name: mergedHead(move.attempt_id), to: move.to });
  await dropJob(git, git_dir, { attempt_id: move.attempt_id, job_id });
}

interface JobOfAttempt {
  readonly attempt_id: string;
  readonly job_id: string;
}

/** Removes the reference that kept what a job had computed. */
export async function dropJob(git: Git, git_dir: string, { attempt_id, job_id }: JobOfAttempt): Promise<void> {
  const name = jobHead(attempt_id, job_id);
  const at = await commitOf(git, git_dir, name);
  if (at !== null) await dropRef(git, git_dir, { name, from: at });
}

/** Whether the commit that a work tree has checked out contains another. Its branch does not matter: a person may have left it. */
export async function isCheckedOutAt(git: Git, git_dir: string, commit: string): Promise<boolean> {
  const head = await commitOf(git, git_dir, 'HEAD');
  return head !== null && isAncestor(git, git_dir, [commit, head]);
}
