import type { JobConflict } from '#domain/git-job';
import type { ClaimedJob } from '#services/ship/claimed-job';
import type { JobEnding, MovedRepo } from '#services/ship/end-job';
import type { Ship } from './git/ship/ship.ts';
import type { PlannedMove, RebaseOrder, ShipRepo } from './git/ship/ship-plan.ts';
import { NO_EMAIL } from './git/source.ts';

/** What is stored of a job before its first branch moves. */
interface JobPlan {
  readonly moves: readonly PlannedMove[];
  readonly notes: readonly string[];
  /** The conflicts that the plan puts on the branch of the attempt, with their markers; null for a plan without any. */
  readonly conflicts: readonly JobConflict[] | null;
}

export const endsAs = (status: 'refused' | 'failed', code: string, reason: string): JobEnding => ({
  status,
  result: { code, reason },
});

/** Safe: only `planJob` writes plans. */
const read = (plan: string): JobPlan => JSON.parse(plan) as JobPlan;

export const movesOf = (plan: string): readonly PlannedMove[] => read(plan).moves;

const shipRepos = ({ attempt, repos }: ClaimedJob): readonly ShipRepo[] =>
  repos.map(({ repo_id, repo_name, repo_path, target_branch, base_commit }) => ({
    repo_id,
    repo_name,
    source: repo_path,
    attempt_id: attempt.id,
    branch: attempt.branch,
    target_branch,
    base_commit,
  }));

/** The message of the commit that puts conflicts on the branch of the attempt. */
const markedMessage = ({ attempt, repos }: ClaimedJob): string => {
  const targets = [...new Set(repos.map(({ target_branch }) => target_branch))].join(', ');
  return `Merge ${targets}, with conflicts to resolve\n\nErrand-Attempt: ${attempt.id}`;
};

/** Computes the moves of a merge or rebase. Nothing that a person sees changes. */
export async function planJob(
  ship: Ship,
  claimed: ClaimedJob,
): Promise<{ readonly plan: string } | { readonly ending: JobEnding }> {
  const { job, mode, message, author, marker_paths, request } = claimed;
  const repos = shipRepos(claimed);
  const order: RebaseOrder = {
    job_id: job.id,
    mode,
    message,
    author: author === null ? null : { name: author, email: NO_EMAIL },
    marker_paths,
    with_markers: false,
  };
  const asPlan = (plan: JobPlan) => ({ plan: JSON.stringify(plan) });
  const prepared = await (job.kind === 'merge' ? ship.prepareMerge(repos, order) : ship.prepareRebase(repos, order));
  if (prepared.status === 'ready') return asPlan({ ...prepared, conflicts: null });
  if (prepared.status === 'refused') return { ending: endsAs('refused', prepared.reason, prepared.text) };

  const { conflicts } = prepared;
  if (request.resolve !== true) return { ending: { status: 'conflicts', result: { conflicts } } };
  const marked = await ship.prepareRebase(repos, { ...order, message: markedMessage(claimed), with_markers: true });
  if (marked.status === 'ready') return asPlan({ ...marked, conflicts });
  const why = marked.status === 'refused' ? { code: marked.reason, reason: marked.text } : {};
  return { ending: { status: 'conflicts', result: { conflicts, ...why } } };
}

/** The branches of the attempt after a rebase. */
async function movedRepos(ship: Ship, moves: readonly PlannedMove[]): Promise<readonly MovedRepo[]> {
  const moved: MovedRepo[] = [];
  for (const move of moves.filter(({ kind }) => kind === 'rebase')) {
    const { commits, files, patch, is_patch_cut } = await ship.changes(move);
    moved.push({
      repo_id: move.repo_id,
      base_commit: move.base,
      head_commit: move.to,
      commits,
      files: JSON.stringify(files),
      patch,
      is_patch_cut,
    });
  }
  return moved;
}

/** Removes the branch of a merged attempt, where nobody has added anything to it or has it checked out. */
async function dropBranches(ship: Ship, claimed: ClaimedJob, moves: readonly PlannedMove[]): Promise<void> {
  for (const { repo_id, repo_path, base_commit, head_commit } of claimed.repos) {
    const merged = moves.find((move) => move.repo_id === repo_id);
    const at = merged?.head ?? head_commit ?? base_commit;
    await ship.dropBranch({ source: repo_path, branch: claimed.attempt.branch }, at);
  }
}

/** A job that cannot go on now, though its branches may have moved. */
export interface Waits {
  readonly waits: string;
}

/** Carries out a stored plan, from wherever it stands. */
export async function completeJob(
  ship: Ship,
  claimed: ClaimedJob,
  { plan, isOurs }: { readonly plan: string; readonly isOurs: () => Promise<boolean> },
): Promise<JobEnding | Waits> {
  const { job, delete_branch } = claimed;
  const { moves, notes, conflicts } = read(plan);
  const carried = await ship.carryOut(job.id, moves, isOurs);
  if (carried.status === 'waits') return { waits: carried.text };
  if (carried.status !== 'merged') {
    if (carried.status === 'partial') return endsAs('failed', 'partial', carried.text);
    const why = endsAs('refused', carried.reason, carried.text);
    return conflicts === null ? why : { status: 'conflicts', result: { ...why.result, conflicts } };
  }
  const moved = await movedRepos(ship, moves);
  if (conflicts !== null) return { status: 'conflicts', result: { conflicts, is_marked: true }, moved };
  if (job.kind === 'merge' && delete_branch) await dropBranches(ship, claimed, moves);
  const { commits } = carried;
  return { status: 'done', result: { commits, ...(notes.length > 0 && { notes }) }, moved };
}
