import { GitError } from '#runner/git/git-error';
import { openSource } from '#runner/git/source';
import { findObstacle } from './clean.ts';
import { clearScratch } from './clear-scratch.ts';
import { holdsLock, lockIndex, unlockIndex } from './lock.ts';
import type { ShipWork } from './move-refs.ts';
import { isCheckedOutAt, missingMoves, moveRefs, settleRefs, standingOf } from './move-refs.ts';
import { branchOf, inWorkTree } from './refusal-texts.ts';
import type { CarriedOut, PlannedMove, Refusal, WorkTree } from './ship-plan.ts';
import type { ShipTools } from './ship-tools.ts';
import { bringFilesBack, describe, takeBack } from './take-back.ts';
import { findWorkTree } from './work-trees.ts';
import { writeFiles } from './write-files.ts';

const noteOf = ({ kind, branch }: PlannedMove): string => `errand: ${kind} ${branch}`;

/**
 * Carries out a plan from wherever it stands: each step in all repositories before the next step. The move of the references
 * decides; a refusal before it changes nothing, and one in the middle takes back the moves that were made.
 */
export async function carryOut(
  tools: ShipTools,
  moves: readonly PlannedMove[],
  isOurs: () => Promise<boolean>,
): Promise<CarriedOut> {
  const mustBeOurs = async () => {
    if (!(await isOurs())) throw new GitError('Another worker has taken over the job.');
  };
  await mustBeOurs();
  const { works, away } = await look(tools, moves);
  if (away.length > 0) return waitFor(tools, works, away, mustBeOurs);
  const lost = works.find(({ standing }) => standing === 'moved');
  const refusal =
    (lost === undefined ? null : movedText(lost.move)) ??
    (await lockAll(tools, works, mustBeOurs)) ??
    (await checkAll(tools, works)) ??
    (await moveAll(tools, works, mustBeOurs));
  if (refusal !== null) return takeBack(tools, works, refusal, mustBeOurs);
  for (const work of works) await followFiles(tools, work, mustBeOurs);
  for (const { source, move } of works) await settleRefs(tools.git, source, move, tools.job_id);
  await clearScratch(tools);
  return { status: 'merged', commits: moves.map(({ repo_id, to }) => ({ repo_id, commit: to })) };
}

async function look({ git }: ShipTools, moves: readonly PlannedMove[]) {
  const works: ShipWork[] = [];
  const away: PlannedMove[] = [];
  for (const move of moves) {
    try {
      const source = await openSource(git, move.source);
      works.push({ move, source, standing: await standingOf(git, source, move) });
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      away.push(move);
    }
  }
  return { works, away };
}

/**
 * Leaves the plan where it stands while a repository is away: its branch may have moved, so the others can go neither forward
 * nor back. Their files are brought to where their branches are, and no index stays locked.
 */
async function waitFor(
  tools: ShipTools,
  works: readonly ShipWork[],
  away: readonly PlannedMove[],
  mustBeOurs: Ours,
): Promise<CarriedOut> {
  for (const work of works) {
    if (work.standing === 'done') await followFiles(tools, work, mustBeOurs);
    else await bringFilesBack(tools, work);
    if (work.move.work_tree !== null) await unlockIndex(tools, work.move.work_tree);
  }
  await clearScratch(tools);
  const names = away.map(({ repo_name, source }) => `${repo_name} (${source})`).join(' and ');
  const others = works.length === 0 ? '' : ` Until then ${await describe(tools, works)}`;
  return {
    status: 'waits',
    text: `${names} cannot be read. As soon as it can, this goes on by itself, in all repositories or in none.${others}`,
  };
}

const movedText = ({ ref, repo_name }: PlannedMove): Refusal => ({
  reason: 'moved',
  text: `${branchOf(ref)} in ${repo_name} was moved meanwhile. Try again.`,
});

type Ours = () => Promise<void>;

async function lockAll(tools: ShipTools, works: readonly ShipWork[], mustBeOurs: Ours): Promise<Refusal | null> {
  for (const { move, standing } of works) {
    if (standing !== 'before' || move.work_tree === null) continue;
    await mustBeOurs();
    if (await lockIndex(tools, move.work_tree)) continue;
    const why = ', where another git works (index.lock). If none does, remove that file.';
    return inWorkTree({ ...move, path: move.work_tree.path }, 'busy', why);
  }
  return null;
}

async function checkAll(tools: ShipTools, works: readonly ShipWork[]): Promise<Refusal | null> {
  for (const { move, source, standing } of works) {
    if (standing !== 'before') continue;
    const { names_work_tree } = await tools.settings(source.git_dir);
    const found = await findWorkTree(tools.git, source, move.ref, names_work_tree);
    if ('reason' in found) return found;
    if (!isSame(found.work_tree, move.work_tree))
      return {
        reason: 'moved',
        text: `${branchOf(move.ref)} in ${move.repo_name} was checked out or left meanwhile. Try again.`,
      };
    if (move.work_tree === null) continue;
    const obstacle = await findObstacle(tools, source, move.work_tree, move);
    if (obstacle !== null) return obstacle;
  }
  return null;
}

const isSame = (a: WorkTree | null, b: WorkTree | null): boolean => a?.path === b?.path && a?.git_dir === b?.git_dir;

async function moveAll({ git }: ShipTools, works: readonly ShipWork[], mustBeOurs: Ours): Promise<Refusal | null> {
  for (const { move, source, standing } of works) {
    const wanted = standing === 'before' ? [move, ...move.also] : await missingMoves(git, source, move.also);
    if (wanted.length === 0) continue;
    await mustBeOurs();
    const git_dir = move.work_tree?.git_dir ?? source.git_dir;
    if (await moveRefs(git, source, { git_dir, note: noteOf(move), all: wanted })) continue;
    // Another git has made this very move: that of a worker which was killed.
    const now = await standingOf(git, source, move);
    if (now === 'done') continue;
    if (now === 'moved') return movedText(move);
    return {
      reason: 'busy',
      text: `${branchOf(move.ref)} in ${move.repo_name} is locked by another git. Try again.`,
    };
  }
  return null;
}

/** The lock of the job says that its files are not all written yet. */
async function followFiles(tools: ShipTools, { move, source }: ShipWork, mustBeOurs: Ours): Promise<void> {
  const { work_tree, repo_id, from, to } = move;
  if (work_tree === null) return;
  if (await holdsLock(tools, work_tree)) {
    await mustBeOurs();
    if (await isCheckedOutAt(tools.git, work_tree.git_dir, to))
      await writeFiles(tools, source, { repo_id, work_tree, from, to });
  }
  await unlockIndex(tools, work_tree);
}
