import type { Attempt, AttemptRepo, OutsideFiles } from '#domain/attempt';
import { shortCommit } from '#domain/key';
import type { PreparedRepo } from './attempt-repos.ts';
import type { AttemptFolders } from './git/attempt-folders.ts';
import type { CommittedFolder } from './git/commit-folder.ts';
import { GitError } from './git/git-error.ts';
import { NO_EMAIL } from './git/source.ts';

type AttemptBranch = Pick<Attempt, 'id' | 'branch'>;

interface CommitNeeds {
  readonly message: string;
  /** The name of the person who asked for the run; null for the operator of this machine. */
  readonly author: string | null;
  /** Shows a line in the feed of the run. */
  readonly tell: (text: string) => void;
  /** Whether this worker still holds the run. */
  readonly isOurs: () => Promise<boolean>;
  readonly report: (error: unknown) => void;
}

export interface CommittedRepos {
  readonly repos: readonly AttemptRepo[];
  /** The names of repositories whose changes are in no commit. */
  readonly failures: readonly string[];
}

/** Commits the changes of a run, repository by repository. A failure is shown in the feed, and the others go on. */
export async function commitRepos(
  attemptFolders: AttemptFolders,
  attempt: AttemptBranch,
  prepared: readonly PreparedRepo[],
  { message, author: name_of_author, tell, isOurs, report }: CommitNeeds,
): Promise<CommittedRepos> {
  const author = name_of_author === null ? null : { name: name_of_author, email: NO_EMAIL };
  const repos: AttemptRepo[] = [];
  const failures: string[] = [];
  for (const { repo, source, name, folder } of prepared) {
    if (repo.base_commit === null) continue;
    const { base_commit } = repo;
    const place = { source, folder, branch: attempt.branch, attempt_id: attempt.id, base_commit, isOurs };
    try {
      const committed = await attemptFolders.commit({ ...place, message, author });
      const { head_commit, commits, files, patch, is_patch_cut } = committed;
      repos.push({ ...repo, head_commit, commits, files: JSON.stringify(files), patch, is_patch_cut });
      for (const text of feedLines(name, attempt, committed)) tell(text);
    } catch (error) {
      if (!(error instanceof GitError) || error.detail !== null) report(error);
      failures.push(name);
      const why = error instanceof GitError ? error.message : 'See the log of the server.';
      tell(`The changes in ${name} could not be committed, and are in its folder only. ${why}`);
    }
  }
  return { repos, failures };
}

const MAX_NAMES = 10;

function feedLines(name: string, { id, branch }: AttemptBranch, committed: CommittedFolder): readonly string[] {
  const { head_commit, made_commit, was_restored, kept_aside, left_out } = committed;
  const kept = `so it was left where it is; the work is in ${head_commit}, kept as refs/errand/${id}/head.`;
  const left = {
    moved: [],
    unused: [],
    checked_out: [`${branch} is checked out in ${name}, ${kept}`],
    has_others: [`${branch} in ${name} has commits of someone else that the work is not built on, ${kept}`],
    refused: [`${branch} in ${name} could not be moved, ${kept}`],
  }[committed.branch];
  const more = left_out.length > MAX_NAMES ? ` and ${left_out.length - MAX_NAMES} more` : '';
  const made = committed.branch === 'moved' ? `Committed to ${branch} in ${name}` : `Committed in ${name}`;
  return [
    ...(made_commit ? [`${made}: ${shortCommit(head_commit)}.`] : []),
    ...left,
    ...(left_out.length === 0
      ? []
      : [`Left out of the commit in ${name}: ${left_out.slice(0, MAX_NAMES).join(', ')}${more}.`]),
    ...gitDirLines(name, { was_restored, kept_aside }),
  ];
}

/** The line that names files outside of the repositories, and says where they are kept. */
export function outsideLine(attempt_id: string, { paths, total }: OutsideFiles): string {
  const more = total > paths.length ? ` and ${total - paths.length} more` : '';
  return `Left outside of the repositories, so in no commit: ${paths.join(', ')}${more}. They stay in the folder of the attempt (attempts/${attempt_id} in the data folder); when that is removed they are kept in attempts/.kept.`;
}

function gitDirLines(
  name: string,
  { was_restored, kept_aside }: Pick<CommittedFolder, 'was_restored' | 'kept_aside'>,
): string[] {
  const found = `The git directory in the folder of ${name} held`;
  if (kept_aside !== null)
    return [`${found} commits, of submodules or others, that ${name} cannot keep: it was put aside as ${kept_aside}.`];
  return was_restored ? [`${found} more than git itself puts there, so it was made anew.`] : [];
}
