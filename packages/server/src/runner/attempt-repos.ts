import { join } from 'node:path';
import type { Attempt, AttemptRepo, AttemptRepoRow, OutsideFiles } from '#domain/attempt';
import { folderIndexes } from '#domain/attempt-folders';
import type { ClaimedRun } from '#services/runs/queue';
import type { AttemptFolders } from './git/attempt-folders.ts';
import type { CommittedFolder } from './git/commit-folder.ts';
import { GitError } from './git/git-error.ts';
import type { RepoFolder } from './git/repo-folder.ts';
import { NO_EMAIL } from './git/source.ts';

/** A repository of an attempt, where it is on this machine. */
export interface PreparedRepo {
  readonly repo: AttemptRepo;
  readonly source: string;
  readonly name: string;
  readonly folder: string;
  readonly setup_script: string | null;
}

type Remains = Pick<ClaimedRun, 'attempt' | 'repos'>;

/** Where the repositories of an attempt are, made when they are missing. All of it or none. */
export async function prepareRepos(
  attemptFolders: AttemptFolders,
  { attempt, repos }: Remains,
  isOurs: () => Promise<boolean>,
): Promise<readonly PreparedRepo[]> {
  const placed: PreparedRepo[] = [];
  for (const { place, row } of repoFoldersOf(attemptFolders, attempt, repos)) {
    const { repo_name: name, repo_path: source, setup_script, ...repo } = row;
    const { target_branch } = repo;
    const wanted = { ...place, isOurs, target_branch, base_commit: repo.base_commit };
    const { base_commit, is_fresh } = await attemptFolders.prepare(wanted).catch((error: unknown) => {
      throw error instanceof GitError ? new GitError(`${name}: ${error.message}`, error.detail) : error;
    });
    const is_set_up = repo.is_set_up && !is_fresh;
    placed.push({ repo: { ...repo, base_commit, is_set_up }, source, name, folder: place.folder, setup_script });
  }
  return placed;
}

/** Where each repository of an attempt has its folder. */
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

/** The agent works in its repository; with several, in the folder that holds them all. */
export const workingFolder = (placed: readonly PreparedRepo[]): string => {
  const [first] = placed;
  if (first === undefined) throw new Error('An attempt without a repository.');
  return placed.length === 1 ? first.folder : join(first.folder, '..');
};

interface Collecting {
  readonly message: string;
  /** The person who had it made, by name; null for the operator of this machine. */
  readonly author: string | null;
  readonly tell: (text: string) => void;
  /** Whether the run has not been taken over by another. */
  readonly isOurs: () => Promise<boolean>;
  readonly report: (error: unknown) => void;
}

export interface CommittedRepos {
  readonly repos: readonly AttemptRepo[];
  /** The names of those whose changes are in the folder only. */
  readonly failures: readonly string[];
}

/** Commits what a run left, repository by repository; a failure of one is told, and leaves the others alone. */
export async function commitRepos(
  attemptFolders: AttemptFolders,
  attempt: Remains['attempt'],
  placed: readonly PreparedRepo[],
  { message, author: name_of_author, tell, isOurs, report }: Collecting,
): Promise<CommittedRepos> {
  const author = name_of_author === null ? null : { name: name_of_author, email: NO_EMAIL };
  const repos: AttemptRepo[] = [];
  const failures: string[] = [];
  for (const { repo, source, name, folder } of placed) {
    if (repo.base_commit === null) continue;
    const { base_commit } = repo;
    const place = { source, folder, branch: attempt.branch, attempt_id: attempt.id, base_commit, isOurs };
    try {
      const collected = await attemptFolders.commit({ ...place, message, author });
      const { head_commit, files, patch, is_patch_cut } = collected;
      repos.push({ ...repo, head_commit, files: JSON.stringify(files), patch, is_patch_cut });
      for (const text of told(name, attempt, collected)) tell(text);
    } catch (error) {
      if (!(error instanceof GitError) || error.detail !== null) report(error);
      failures.push(name);
      const why = error instanceof GitError ? error.message : 'See the log of the server.';
      tell(`The changes in ${name} could not be committed, and are in its folder only. ${why}`);
    }
  }
  return { repos, failures };
}

const MOST_NAMES = 10;

function told(name: string, { id, branch }: Remains['attempt'], collected: CommittedFolder): readonly string[] {
  const { head_commit, made_commit, was_restored, kept_aside, left_out } = collected;
  const kept = `so it was left where it is; the work is in ${head_commit}, kept as refs/errand/${id}/head.`;
  const left = {
    moved: [],
    unused: [],
    checked_out: [`${branch} is checked out in ${name}, ${kept}`],
    has_others: [`${branch} in ${name} has commits of someone else that the work is not built on, ${kept}`],
    refused: [`${branch} in ${name} could not be moved, ${kept}`],
  }[collected.branch];
  const more = left_out.length > MOST_NAMES ? ` and ${left_out.length - MOST_NAMES} more` : '';
  const made = collected.branch === 'moved' ? `Committed to ${branch} in ${name}` : `Committed in ${name}`;
  return [
    ...(made_commit ? [`${made}: ${head_commit.slice(0, 12)}.`] : []),
    ...left,
    ...(left_out.length === 0
      ? []
      : [`Left out of the commit in ${name}: ${left_out.slice(0, MOST_NAMES).join(', ')}${more}.`]),
    ...renewed(name, { was_restored, kept_aside }),
  ];
}

/** Says which files are in no repository, and where they are kept. */
export function outsideWords(attempt_id: string, { paths, total }: OutsideFiles): string {
  const more = total > paths.length ? ` and ${total - paths.length} more` : '';
  return `Left outside of the repositories, so in no commit: ${paths.join(', ')}${more}. They stay in the folder of the attempt (attempts/${attempt_id} in the data folder); when that is removed they are kept in attempts/.kept.`;
}

function renewed(
  name: string,
  { was_restored, kept_aside }: Pick<CommittedFolder, 'was_restored' | 'kept_aside'>,
): string[] {
  const found = `The git directory in the folder of ${name} held`;
  if (kept_aside !== null)
    return [`${found} commits, of submodules or others, that ${name} cannot keep: it was put aside as ${kept_aside}.`];
  return was_restored ? [`${found} more than git itself puts there, so it was made anew.`] : [];
}
