import type { Removals } from '#services/runs/removals';
import type { Workspaces } from './git/workspaces.ts';

/** Removes folders of attempts that someone wants removed, unless something in them is nowhere else. */
export async function removeFolders(removals: Removals, workspaces: Workspaces, host_id: string): Promise<void> {
  for (const { attempt, repos } of await removals.wanted(host_id)) {
    const kept: string[] = [];
    for (const [index, { repo_name, repo_path, base_commit }] of repos.entries()) {
      const folder = workspaces.place(attempt.id, repo_name, index);
      const place = { source: repo_path, folder, branch: attempt.branch, attempt_id: attempt.id, base_commit };
      if ((await workspaces.remove(place)) === 'unsaved') kept.push(repo_name);
    }
    if (kept.length === 0) await workspaces.removeAttempt(attempt.id);
    await removals.done(attempt, kept.length === 0);
  }
}
