import { createConcurrencyLimit } from '#runner/concurrency';
import { createAttemptFolders } from '#runner/git/attempt-folders';
import { createGit } from '#runner/git/git';
import { createShip } from '#runner/git/ship/ship';
import { createGitJobRunner } from '#runner/git-jobs';
import { createGitJobs, type GitJobs } from '#services/ship/job-queue';
import { openSqliteStore } from '#store/sql/sqlite/open-sqlite-store';
import { createUuidV7 } from '#store/uuid-v7';

/** A worker that goes on with the jobs of dead workers, and carries out those that wait. */
export interface WorkerOrder {
  readonly database: string;
  readonly root: string;
  readonly worker_id: string;
  readonly dead: readonly string[];
}

/** Works until no job is left. Calls `mark` before and after every transaction, git command and change of a file. */
export async function workOnGitJobs(order: WorkerOrder, mark: (name: string) => void): Promise<void> {
  const { database, root, worker_id, dead } = order;
  const marked =
    <Args extends readonly unknown[], Answer>(name: string, work: (...args: Args) => Promise<Answer>) =>
    async (...args: Args): Promise<Answer> => {
      mark(`before ${name}`);
      const answer = await work(...args);
      mark(`after ${name}`);
      return answer;
    };
  const ids = createUuidV7(Date.now);
  const store = await openSqliteStore({ path: database, clock: Date.now, ids });
  const jobs = createGitJobs(store, ids);
  const gitJobs: GitJobs = {
    ...jobs,
    take: marked('take', jobs.take),
    takeOver: marked('take over', jobs.takeOver),
    requeue: marked('requeue', jobs.requeue),
    commit: marked('plan', jobs.commit),
    finish: marked('finish', jobs.finish),
  };
  const errors: unknown[] = [];
  const runner = createGitJobRunner({
    worker_id,
    host_id: 'host-1',
    lease_ms: 60_000,
    gitJobs,
    ship: createShip({ git: createGit(null), root, steps: { mark } }),
    attemptFolders: createAttemptFolders({ root }),
    pullRequests: { openAll: () => Promise.reject(new Error('This worker opens no requests.')) },
    limitGit: createConcurrencyLimit(2),
    deadWorkers: async () => dead,
    liveWorkers: async () => [],
    report: (error) => void errors.push(error),
  });
  await runner.reap();
  await runner.take(() => undefined);
  await runner.settled();
  await store.close();
  if (errors.length > 0) throw errors[0];
}
