import type { Changes } from '#runner/git/changes';
import { countCommits, readChanges } from '#runner/git/changes';
import { dropRef, isCheckedOut } from '#runner/git/refs';
import { commitOf, openSource } from '#runner/git/source';
import { carryOut } from './carry-out.ts';
import { prepareMerge } from './prepare-merge.ts';
import { prepareRebase } from './prepare-rebase.ts';
import type { RepoPlan } from './prepare-repo.ts';
import { forget, prepareRepos } from './prepare-repos.ts';
import type { CarriedOut, PlannedMove, Prepared, RebaseOrder, ShipOrder, ShipRepo } from './ship-plan.ts';
import type { ShipNeeds, ShipTools } from './ship-tools.ts';
import { shipTools } from './ship-tools.ts';
import { operationOn } from './work-trees.ts';

/** Merges and rebases the branches of attempts, in all repositories of an attempt or in none. */
export interface Ship {
  /** Computes the merge. No reference, index or file of a person changes. */
  readonly prepareMerge: (repos: readonly ShipRepo[], order: ShipOrder) => Promise<Prepared>;
  /** Computes the branch of the attempt on top of its target. */
  readonly prepareRebase: (repos: readonly ShipRepo[], order: RebaseOrder) => Promise<Prepared>;
  /** Can be repeated until it answers, also to go on with what a killed worker had begun. `isOurs` is asked before each change of a repository. */
  readonly carryOut: (
    job_id: string,
    moves: readonly PlannedMove[],
    isOurs: () => Promise<boolean>,
  ) => Promise<CarriedOut>;
  /** Whether the repositories of a plan are on this machine, with the commits that it moves to. */
  readonly isThere: (moves: readonly PlannedMove[]) => Promise<boolean>;
  /** The changes of an attempt after a rebase. */
  readonly changes: (move: PlannedMove) => Promise<Changes & { readonly commits: number }>;
  /** Removes what the preparation left in the repositories. */
  readonly forget: (job_id: string, repos: readonly Pick<ShipRepo, 'source' | 'attempt_id'>[]) => Promise<void>;
  /** Removes the branch of an attempt if it still is at `at` and no work tree has it checked out. */
  readonly dropBranch: (repo: Pick<ShipRepo, 'source' | 'branch'>, at: string) => Promise<boolean>;
}

export function createShip(needs: ShipNeeds): Ship {
  const prepareAll = (
    job_id: string,
    repos: readonly ShipRepo[],
    prepareOne: (tools: ShipTools, repo: ShipRepo) => Promise<RepoPlan>,
  ) => prepareRepos(shipTools(needs, checkedId(job_id)), repos, prepareOne);
  return {
    prepareMerge: (repos, order) => prepareAll(order.job_id, repos, (tools, repo) => prepareMerge(tools, repo, order)),
    prepareRebase: (repos, order) =>
      prepareAll(order.job_id, repos, (tools, repo) => prepareRebase(tools, repo, order)),
    carryOut: (job_id, moves, isOurs) => carryOut(shipTools(needs, checkedId(job_id)), moves, isOurs),
    isThere: async (moves) => {
      for (const { source, to } of moves) {
        const opened = await openSource(needs.git, source).catch(() => null);
        if (opened === null || (await commitOf(needs.git, opened.git_dir, to)) === null) return false;
      }
      return true;
    },
    changes: async ({ source, base, to }) => {
      const { git_dir } = await openSource(needs.git, source);
      const commits = await countCommits(needs.git, git_dir, [base, to]);
      return { ...(await readChanges(needs.git, git_dir, [base, to])), commits };
    },
    forget: (job_id, repos) => forget(shipTools(needs, checkedId(job_id)), repos),
    dropBranch: async ({ source, branch }, at) => {
      const { git_dir } = await openSource(needs.git, source);
      const name = `refs/heads/${branch}`;
      if ((await commitOf(needs.git, git_dir, name)) !== at) return false;
      if ((await operationOn(git_dir, name)) !== null || (await isCheckedOut(needs.git, git_dir, name))) return false;
      await dropRef(needs.git, git_dir, { name, from: at });
      return (await commitOf(needs.git, git_dir, name)) === null;
    },
  };
}

/** It is part of names of files and references. */
function checkedId(job_id: string): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9-]{0,63}$/.test(job_id))
    throw new Error('A job has an id that no file can be named after.');
  return job_id;
}
