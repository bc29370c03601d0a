import { foundation } from './0001-foundation.ts';
import { tracker } from './0002-tracker.ts';
import { executions } from './0003-executions.ts';
import { board } from './0004-board.ts';
import { appUsers } from './0005-app-users.ts';
import { growth } from './0006-growth.ts';
import { clientSessions } from './0007-client-sessions.ts';
import { removedRepos } from './0010-removed-repos.ts';
import { outsideFiles } from './0011-outside-files.ts';
import { signIn } from './0012-sign-in.ts';
import { loop } from './0013-loop.ts';
import { checks } from './0014-checks.ts';
import { reviews } from './0015-reviews.ts';
import { gitJobs } from './0016-git-jobs.ts';
import { messages } from './0017-messages.ts';
import { spending } from './0018-spending.ts';
import { readPaths } from './0019-read-paths.ts';
import { rightsOfWords } from './0023-rights-of-words.ts';
import { retiredKeys } from './0024-retired-keys.ts';
import { peopleSignIn } from './0026-people-sign-in.ts';
import { presence } from './0027-presence.ts';
import { flatReads } from './0028-flat-reads.ts';
import { lanes } from './0029-lanes.ts';
import { review } from './0030-review.ts';
import { shortRows } from './0031-short-rows.ts';
import { countedTodos } from './0032-counted-todos.ts';
import { frequentWords } from './0033-frequent-words.ts';
import { ticks } from './0034-ticks.ts';
import { countedCommits } from './0035-counted-commits.ts';
import type { Migration } from './migration.ts';

/** All migrations, in order. Released ones never change. */
export const MIGRATIONS: readonly Migration[] = [
  foundation,
  tracker,
  executions,
  board,
  appUsers,
  growth,
  clientSessions,
  removedRepos,
  outsideFiles,
  signIn,
  loop,
  checks,
  reviews,
  gitJobs,
  messages,
  spending,
  readPaths,
  rightsOfWords,
  retiredKeys,
  peopleSignIn,
  presence,
  flatReads,
  lanes,
  review,
  shortRows,
  countedTodos,
  frequentWords,
  ticks,
  countedCommits,
];

/** The migrations that a database still needs. Throws when it has one that this program does not know. */
export function pendingMigrations(
  applied: readonly string[],
  known: readonly Migration[] = MIGRATIONS,
): readonly Migration[] {
  const unknown = applied.find((name) => !known.some((migration) => migration.name === name));
  if (unknown !== undefined) {
    throw new Error(
      `The database is newer than this program: it has the schema step ${unknown}. Update Errand to open it.`,
    );
  }
  return known.filter(({ name }) => !applied.includes(name));
}
