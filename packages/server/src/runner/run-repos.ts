import type { AttemptRepo } from '#domain/attempt';
import type { ClaimedRun } from '#services/runs/queue';
import { type PreparedRepo, prepareRepos, repoFoldersOf } from './attempt-repos.ts';
import { carryComments } from './carry-comments.ts';
import { type CommittedRepos, commitRepos, outsideLine } from './commit-repos.ts';
import { hideToken } from './hide-token.ts';
import { RunFailure } from './run-failure.ts';
import type { RunHold } from './run-hold.ts';
import type { RunNeeds } from './run-needs.ts';
import type { OpenSink } from './run-sink.ts';
import { watchChanges } from './watch-changes.ts';

export interface RunRepos {
  /** Makes the missing folders, and stores the facts about their repositories. */
  readonly prepare: () => Promise<readonly PreparedRepo[]>;
  readonly note: (repos: readonly AttemptRepo[]) => Promise<void>;
  /** Shows the agent's changes while it works. Returns a function that ends this. */
  readonly watch: () => () => Promise<void>;
  /** Those that `prepare` has made. */
  readonly prepared: () => readonly PreparedRepo[];
  readonly commit: () => Promise<CommittedRepos>;
  /** The files that the run left beside its repositories, as JSON of `OutsideFiles`; null for none. New ones are shown in the feed. */
  readonly findOutside: () => Promise<string | null>;
}

interface Needs extends Pick<RunNeeds, 'queue' | 'attemptFolders' | 'executors' | 'limitGit' | 'report'> {
  readonly claimed: ClaimedRun;
  readonly hold: RunHold;
  readonly sink: OpenSink;
}

/** The repositories of a run: their folders, and the commits that it leaves in them. */
export function createRunRepos({ claimed, hold, sink, ...needs }: Needs): RunRepos {
  const { queue, attemptFolders, executors, limitGit, report } = needs;
  const { attempt, secret } = claimed;
  const prepared = new Map<string, PreparedRepo>();
  const current = (): readonly PreparedRepo[] => [...prepared.values()];

  async function note(repos: readonly AttemptRepo[]): Promise<void> {
    for (const [folder, one] of prepared) {
      const repo = repos.find(({ repo_id }) => repo_id === one.repo.repo_id);
      if (repo !== undefined) prepared.set(folder, { ...one, repo });
    }
    await queue.noteRepos(claimed, repos);
  }

  async function makeFolders(): Promise<readonly PreparedRepo[]> {
    // The run was stopped while it waited for its turn: it needs no folders any more.
    if (hold.signal.aborted) throw new RunFailure('stopped before it began');
    return prepareRepos(attemptFolders, claimed, hold.isHeld);
  }

  function message(): string {
    const { executor, variant } = claimed.entry;
    const title = executors.resolve(executor, variant)?.title ?? executor;
    const coAuthor = `${title.replaceAll(/[<>\s]+/g, ' ').trim()} <${executor}@errand.localhost>`;
    return `${claimed.title}\n\nErrand-Attempt: ${attempt.id}\nCo-authored-by: ${coAuthor}`;
  }

  /** Moves the comments of reviewers to where their lines are in the new commits. */
  async function carryAlong({ repos }: CommittedRepos): Promise<void> {
    const comments = await queue.openComments(attempt);
    const sources = new Map(current().map(({ repo, source }) => [repo.repo_id, source]));
    const committed = repos.map((repo) => ({ ...repo, source: sources.get(repo.repo_id) ?? '' }));
    const carried = await carryComments(attemptFolders, attempt, comments, committed);
    if (carried.length > 0) await queue.noteCarried(claimed, carried);
  }

  return {
    note,
    prepared: current,
    prepare: async () => {
      const made = await limitGit(makeFolders);
      for (const one of made) prepared.set(one.folder, one);
      await note(made.map(({ repo }) => repo));
      return made;
    },
    watch: () =>
      watchChanges({ attemptFolders, attempt, repos: current, isNews: sink.isNews, write: note, limitGit, report }),
    commit: () =>
      // Urgent: it goes before the folders of runs that have not begun. The end of this run makes room for one of them.
      limitGit(
        async () => {
          const committed = await commitRepos(attemptFolders, attempt, current(), {
            message: message(),
            author: claimed.author,
            tell: (text) => sink.feed('status', text),
            isOurs: hold.isHeld,
            report,
          });
          // The work is committed: comments that cannot be carried along now are carried by the next run.
          await carryAlong(committed).catch(report);
          return committed;
        },
        { is_urgent: true },
      ),
    findOutside: async () => {
      const folders = repoFoldersOf(attemptFolders, attempt, claimed.repos).map(({ place: { folder } }) => folder);
      const found = await attemptFolders.outside(attempt.id, folders).catch((error: unknown) => report(error));
      if (found === undefined) return attempt.outside;
      const text = found === null ? null : hideToken(JSON.stringify(found), secret);
      if (found !== null && text !== attempt.outside) sink.feed('status', outsideLine(attempt.id, found));
      return text;
    },
  };
}
