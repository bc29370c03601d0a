import { join } from 'node:path';
import type { Attempt, AttemptRepo, AttemptRepoRow } from '#domain/attempt';
import { folderIndexes } from '#domain/folder-names';
import type { ClaimedRun } from '#services/runs/queue';
import type { AttemptFolders } from './git/attempt-folders.ts';
import { GitError } from './git/git-error.ts';
import type { RepoFolder } from './git/repo-folder.ts';

/** A repository of an attempt whose folder is ready on this machine. */
export interface PreparedRepo {
  readonly repo: AttemptRepo;
  readonly source: string;
  readonly name: string;
  readonly folder: string;
  readonly setup_script: string | null;
}

type AttemptWithRepos = Pick<ClaimedRun, 'attempt' | 'repos'>;

/** Makes the missing folders of an attempt's repositories. Rejects unless all of them are ready. */
export async function prepareRepos(
  attemptFolders: AttemptFolders,
  { attempt, repos }: AttemptWithRepos,
  isOurs: () => Promise<boolean>,
): Promise<readonly PreparedRepo[]> {
  const prepared: PreparedRepo[] = [];
  for (const { place, row } of repoFoldersOf(attemptFolders, attempt, repos)) {
    const { repo_name: name, repo_path: source, setup_script, ...repo } = row;
    const { target_branch } = repo;
    const wanted = { ...place, isOurs, target_branch, base_commit: repo.base_commit };
    const { base_commit, is_fresh } = await attemptFolders.prepare(wanted).catch((error: unknown) => {
      throw error instanceof GitError ? new GitError(`${name}: ${error.message}`, error.detail) : error;
    });
    const is_set_up = repo.is_set_up && !is_fresh;
    prepared.push({ repo: { ...repo, base_commit, is_set_up }, source, name, folder: place.folder, setup_script });
  }
  return prepared;
}

/** The folder of each repository of an attempt. */
export function repoFoldersOf<Row extends Pick<AttemptRepoRow, 'repo_name' | 'repo_path'>>(
  attemptFolders: AttemptFolders,
  { id: attempt_id, branch }: Pick<Attempt, 'id' | 'branch'>,
  repos: readonly Row[],
): readonly { readonly place: RepoFolder; readonly row: Row }[] {
  const indexes = folderIndexes(repos.map(({ repo_name }) => repo_name));
  return repos.map((row, at) => {
    const folder = attemptFolders.repoFolder(attempt_id, row.repo_name, indexes[at] ?? 0);
    return { place: { source: row.repo_path, folder, branch, attempt_id }, row };
  });
}

/** The agent's working folder: its repository, or with several the folder that holds them all. */
export const workingFolder = (prepared: readonly PreparedRepo[]): string => {
  const [first] = prepared;
  if (first === undefined) throw new Error('An attempt without a repository.');
  return prepared.length === 1 ? first.folder : join(first.folder, '..');
};
