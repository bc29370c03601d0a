import { execFile } from 'node:child_process';
import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { env, execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { type GitJob, NOT_TAKEN } from '#domain/git-job';
import type { GitJobId } from '#domain/ids';
import { ATTEMPT, aShipBed, BASE, BRANCH, JOB, MOVED, WORK } from '#runner/git/ship/testing/ship-bed';
import { plainGit } from '#runner/git/testing/repository';
import { openSqliteStore } from '#store/sql/sqlite/open-sqlite-store';
import type { Store } from '#store/store';
import { anAttempt, inRepo, settleBoard } from '#store/testing/contract/board-fixture';
import { createUuidV7 } from '#store/uuid-v7';
import type { ChildOrder } from './git-job-child.ts';
import { type WorkerOrder, workOnGitJobs } from './git-job-worker.ts';

const FLAGS = ['--conditions=errand-source', '--no-warnings'];
const CHILD = fileURLToPath(new URL('./git-job-child.ts', import.meta.url));
const NAMES = ['website', 'api'];

/** A database with a merge that waits, and the repositories of its attempt: the target is checked out in the first only. */
export async function aJobStage(mode: GitJob['mode']) {
  const bed = await aShipBed();
  const database = join(bed.folder, 'errand.db');
  const open = (): Promise<Store> => openSqliteStore({ path: database, clock: Date.now, ids: createUuidV7(Date.now) });
  const made = [await bed.repo('website', STORY), await bed.repo('api', STORY)];
  plainGit(made[1]?.source ?? '', 'checkout', '-q', '--detach');

  const store = await open();
  const { garden, user, item, everything } = await settleBoard(store);
  const attempt = anAttempt(item, user, { id: ATTEMPT, branch: BRANCH, host_id: 'host-1', run_status: 'completed' });
  await store.transaction(async (tx) => {
    for (const { repo_id: id, repo_name: name, source: path } of made) {
      const target_branch = 'main';
      await tx.projects.insertRepo({
        ...{ id, name, path, target_branch, project_id: garden.project.id, setup_script: null, created_at: 1 },
      });
    }
    const repos = made.map(({ repo_id, base_commit, commits }) => ({
      ...inRepo(attempt, { id: repo_id } as never),
      base_commit,
      head_commit: commits.get('work') ?? null,
    }));
    await tx.attempts.insert(attempt, repos);
    await tx.gitJobs.insert(aJob(attempt, mode));
  });
  await store.close();
  const live = ['attempts', 'errand.db', ...NAMES];
  const copy = (from: string, to: string): void =>
    cpSync(from, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  for (const name of live) copy(join(bed.folder, name), join(bed.folder, 'saved', name));

  return {
    reset: (): void => {
      for (const name of readdirSync(bed.folder).filter((one) => one !== 'saved'))
        rmSync(join(bed.folder, name), { recursive: true });
      for (const name of live) copy(join(bed.folder, 'saved', name), join(bed.folder, name));
    },

    /** Runs a worker in a process of its own, which kills itself at a step. The names of its steps when it was not killed. */
    work: (order: Pick<ChildOrder, 'worker_id' | 'dead' | 'at'>): Promise<readonly string[] | null> => {
      const file = join(bed.folder, 'order.json');
      writeFileSync(file, JSON.stringify({ ...order, database, root: bed.root } satisfies ChildOrder));
      return new Promise((resolve, reject) => {
        // Most of the time of a killed worker is its start, which a cache of compiled modules makes short.
        const options = { env: { ...env, NODE_COMPILE_CACHE: join(bed.folder, 'saved/compiled') } };
        execFile(execPath, [...FLAGS, CHILD, file], options, (error, out, complaint) => {
          if (error === null) return resolve(JSON.parse(out));
          if (error.signal === 'SIGKILL') return resolve(null);
          reject(new Error(complaint));
        });
      });
    },

    /** Goes on in this process after a worker was killed: to start another one would double the time of the proof. */
    recover: (order: Pick<WorkerOrder, 'worker_id' | 'dead'>): Promise<void> =>
      workOnGitJobs({ ...order, database, root: bed.root }, () => undefined),

    /** What is wrong after the work of all workers: the store must say what the repositories say. */
    faults: async (): Promise<readonly string[]> => {
      const opened = await open();
      const job = await opened.reads.gitJobs.findForWorker(JOB as GitJobId);
      const merged = await opened.reads.attempts.find(everything, ATTEMPT);
      const events = (await opened.reads.audit.page(0, 100)).map(({ action }) => action);
      await opened.close();
      const reported =
        (JSON.parse(job?.result ?? '{}') as { commits?: { repo_id: string; commit: string }[] }).commits ?? [];
      const wrong = (is: boolean, what: string): readonly string[] => (is ? [] : [what]);
      return [
        ...wrong(job?.status === 'done', `the job is ${job?.status} ${job?.result}`),
        ...wrong(merged?.merged_at !== null && merged?.removal === 'requested', 'the attempt is not merged'),
        ...wrong(events.filter((action) => action === 'merge_attempt.done').length === 1, 'not completed once'),
        ...made.flatMap(({ source, repo_id, repo_name, commits }) => {
          const main = plainGit(source, 'rev-parse', 'main');
          const count = plainGit(source, 'rev-list', '--count', '--first-parent', `${commits.get('target')}..main`);
          return [
            ...wrong(
              reported.some((one) => one.repo_id === repo_id && one.commit === main),
              `${repo_name} is elsewhere`,
            ),
            ...wrong(count === '1', `${repo_name} was merged ${count} times`),
            ...wrong(plainGit(source, 'show', 'main:new/d.txt') === 'd', `${repo_name} lacks the work`),
            ...wrong(plainGit(source, 'for-each-ref', 'refs/errand/*/job/*') === '', `${repo_name} has a hidden ref`),
            ...wrong(plainGit(source, 'status', '--porcelain') === '', `${repo_name} is not clean`),
          ];
        }),
      ];
    },
    [Symbol.asyncDispose]: () => bed[Symbol.asyncDispose](),
  };
}

const STORY = { base: BASE, target: MOVED, work: WORK };

const aJob = (attempt: ReturnType<typeof anAttempt>, mode: GitJob['mode']): GitJob => ({
  id: JOB as GitJobId,
  operation_id: 'one',
  workspace_id: attempt.workspace_id,
  project_id: attempt.project_id,
  attempt_id: attempt.id,
  kind: 'merge',
  mode,
  request: '{}',
  ...NOT_TAKEN,
  host_id: 'host-1',
  user_id: attempt.created_by_user_id,
  agent_id: null,
  created_at: 1,
});
