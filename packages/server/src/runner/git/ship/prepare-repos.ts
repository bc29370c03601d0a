import type { RepoId } from '#domain/ids';
import { GitError } from '#runner/git/git-error';
import { openSource } from '#runner/git/source';
import { clearScratch } from './clear-scratch.ts';
import { dropJob } from './move-refs.ts';
import type { RepoPlan } from './prepare-repo.ts';
import { refused } from './prepare-repo.ts';
import { readable } from './refusal-texts.ts';
import type { Conflict, PlannedMove, Prepared, ShipRepo } from './ship-plan.ts';
import type { ShipTools } from './ship-tools.ts';

/** All repositories or none: one that is refused or has conflicts stops the others. */
export async function prepareRepos(
  tools: ShipTools,
  repos: readonly ShipRepo[],
  prepareOne: (tools: ShipTools, repo: ShipRepo) => Promise<RepoPlan>,
): Promise<Prepared> {
  const ordered = repos.toSorted((a, b) => (a.repo_id < b.repo_id ? -1 : 1));
  const planned: { readonly repo_id: RepoId; readonly plan: RepoPlan }[] = [];
  for (const repo of ordered)
    planned.push({ repo_id: repo.repo_id, plan: await prepareOne(tools, repo).catch(unreadable) });
  const prepared = joined(planned);
  if (prepared.status !== 'ready') await forget(tools, repos);
  return prepared;
}

function unreadable(error: unknown): RepoPlan {
  if (!(error instanceof GitError)) throw error;
  return refused('unreadable', error.message);
}

function joined(planned: readonly { readonly repo_id: RepoId; readonly plan: RepoPlan }[]): Prepared {
  const moves: PlannedMove[] = [];
  const notes: string[] = [];
  const conflicts: Conflict[] = [];
  for (const { repo_id, plan } of planned) {
    if (plan.kind === 'refused') return { status: 'refused', reason: plan.reason, text: plan.text, repo_id };
    if (plan.kind === 'conflicts') conflicts.push(...plan.paths.map((path) => ({ repo_id, path: readable(path) })));
    if (plan.kind !== 'move') continue;
    moves.push(plan.move);
    notes.push(...plan.notes);
  }
  if (conflicts.length > 0) return { status: 'conflicts', conflicts };
  const [first] = planned;
  if (moves.length === 0 && first !== undefined)
    return { status: 'refused', reason: 'nothing', text: 'The attempt has changed nothing.', repo_id: first.repo_id };
  return { status: 'ready', moves, notes: [...new Set(notes)] };
}

/** Removes what the preparation left in the repositories. */
export async function forget(
  tools: ShipTools,
  repos: readonly Pick<ShipRepo, 'source' | 'attempt_id'>[],
): Promise<void> {
  for (const { source, attempt_id } of repos) {
    const opened = await openSource(tools.git, source).catch(() => null);
    if (opened !== null) await dropJob(tools.git, opened.git_dir, { attempt_id, job_id: tools.job_id });
  }
  await clearScratch(tools);
}
