import { join } from 'node:path';
import type { AttemptRepo } from '#domain/attempt';
import type { ClaimedRun } from '#services/runs/queue';
import type { Workspaces } from './git/workspaces.ts';

/** A repository of an attempt, where it is on this machine. */
export interface Placed {
  readonly repo: AttemptRepo;
  readonly source: string;
  readonly name: string;
  readonly folder: string;
  readonly setup_script: string | null;
  readonly is_fresh: boolean;
}

type Remains = Pick<ClaimedRun, 'attempt' | 'repos'>;

/** Where the repositories of an attempt are, made when they are missing. All of it or none. */
export async function placeRepos(workspaces: Workspaces, { attempt, repos }: Remains): Promise<readonly Placed[]> {
  const placed: Placed[] = [];
  for (const [index, row] of repos.entries()) {
    const { repo_name, repo_path, setup_script, ...repo } = row;
    const folder = workspaces.place(attempt.id, repo_name, index);
    const place = { source: repo_path, folder, branch: attempt.branch, attempt_id: attempt.id };
    const { base_commit, is_fresh } = await workspaces.prepare({
      ...place,
      target_branch: repo.target_branch,
      base_commit: repo.base_commit,
    });
    placed.push({ repo: { ...repo, base_commit }, source: repo_path, name: repo_name, folder, setup_script, is_fresh });
  }
  return placed;
}

/** The agent works in its repository; with several, in the folder that holds them all. */
export const workingFolder = (placed: readonly Placed[]): string => {
  const [first] = placed;
  if (first === undefined) throw new Error('An attempt without a repository.');
  return placed.length === 1 ? first.folder : join(first.folder, '..');
};

/** Commits what a run left, repository by repository; a failure of one is told, and leaves the others alone. */
export async function collectRepos(
  workspaces: Workspaces,
  attempt: Remains['attempt'],
  placed: readonly Placed[],
  { message, tell }: { readonly message: string; readonly tell: (text: string) => void },
): Promise<readonly AttemptRepo[]> {
  const collected: AttemptRepo[] = [];
  for (const { repo, source, name, folder } of placed) {
    if (repo.base_commit === null) continue;
    const place = { source, folder, branch: attempt.branch, attempt_id: attempt.id, base_commit: repo.base_commit };
    try {
      const { head_commit, files, patch, is_patch_cut, ...notes } = await workspaces.collect({ ...place, message });
      collected.push({ ...repo, head_commit, files: JSON.stringify(files), patch, is_patch_cut });
      for (const text of told(name, attempt.branch, { head_commit, ...notes })) tell(text);
    } catch (error) {
      tell(`The changes in ${name} could not be committed: ${error instanceof Error ? error.message : 'unknown'}`);
    }
  }
  return collected;
}

interface Notes {
  readonly head_commit: string;
  readonly made_commit: boolean;
  readonly branch_moved: boolean;
  readonly was_restored: boolean;
}

function told(name: string, branch: string, { head_commit, made_commit, branch_moved, was_restored }: Notes): string[] {
  const notes: string[] = [];
  if (made_commit) notes.push(`Committed to ${branch} in ${name}: ${head_commit.slice(0, 12)}.`);
  if (!branch_moved) {
    notes.push(`${branch} is checked out in ${name}, so it was left where it is; the work is in ${head_commit}.`);
  }
  if (was_restored)
    notes.push(`The git directory in the folder of ${name} held more than git itself puts there, so it was made anew.`);
  return notes;
}
