import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BudgetsConfig, NO_BUDGETS } from '#domain/budget';
import type { ProjectId, RepoId } from '#domain/ids';
import { ChecksConfig } from '#runner/checks-config';
import { createExecutors } from '#runner/executors/create-executors';
import { createOperatorProgram } from '#runner/forge/operator-program';
import { createAttemptFolders } from '#runner/git/attempt-folders';
import { createGit } from '#runner/git/git';
import { createShip } from '#runner/git/ship/ship';
import type { Steps } from '#runner/git/ship/ship-tools';
import { readMachine } from '#runner/process/machine';
import { createProcesses } from '#runner/process/processes';
import { createPullRequests } from '#runner/pull-requests';
import { startWorker } from '#runner/worker';
import { createRemovals } from '#services/attempts/folder-removals';
import { createLeftovers } from '#services/attempts/leftover-folders';
import { createRunQueue, type RunQueue } from '#services/runs/queue';
import { createRunLog } from '#services/runs/run-log';
import { createRunMessages } from '#services/runs/run-messages';
import { createWorkers } from '#services/runs/workers';
import { createGitJobs } from '#services/ship/job-queue';
import { createRequestWatches } from '#services/ship/request-watches';
import { createUuidV7 } from '#store/uuid-v7';
import { createWorld } from '#testing/world';

interface TestCheck {
  readonly name: string;
  readonly command: readonly string[];
  readonly timeout_s?: number;
}

interface Options {
  /** The command of an agent that speaks ACP, instead of the shell script. */
  readonly acp?: readonly [string, ...string[]];
  /** The agent's shell script. */
  readonly agent?: string;
  readonly setup_script?: string;
  readonly budgets?: BudgetsConfig;
  /** The operator's checks, by the name of the project or repository. */
  readonly checks?: Readonly<Record<string, readonly TestCheck[]>>;
  /** Names of further repositories: copies of the first. */
  readonly more_repos?: readonly string[];
  /** Called before and after every step of a merge. */
  readonly steps?: Steps;
  /** A folder with programs that go before those of the machine. */
  readonly programs?: string;
  readonly forges?: Readonly<Record<string, 'gh' | 'glab'>>;
  /** Replaces parts of the real queue. */
  readonly queue?: (queue: RunQueue) => Partial<RunQueue>;
}

/** A real worker: a database in memory, a git repository, programs. The agent is a shell script. */
export async function aRunner(options: Options) {
  const {
    agent = '',
    acp,
    setup_script,
    checks = {},
    budgets = NO_BUDGETS,
    more_repos = [],
    steps,
    queue: different,
  } = options;
  const { programs, forges = {} } = options;
  const world = await createWorld({ budgets });
  const ids = createUuidV7(Date.now);
  const folder = await mkdtemp(join(tmpdir(), 'errand-runner-'));
  const repo = join(folder, 'shop');
  mkdirSync(repo);
  const git = (...args: readonly string[]): string => execFileSync('git', args, { cwd: repo, encoding: 'utf8' }).trim();
  git('init', '-q', '-b', 'main');
  await writeFile(join(repo, 'a.txt'), 'one\n');
  git('add', '.');
  git('-c', 'user.name=Ana', '-c', 'user.email=ana@localhost', 'commit', '-qm', 'first');

  const { project_id } = await world.ask('admin_add_project', { name: 'Shop' });
  const { task_id } = await world.ask('create_task', { project_id, title: 'Fix it' });
  const link = async (name: string, path: string): Promise<RepoId> => {
    const id = ids<RepoId>();
    await world.store.transaction((tx) =>
      tx.projects.insertRepo({
        id,
        project_id: project_id as ProjectId,
        name,
        path,
        target_branch: 'main',
        setup_script: setup_script ?? null,
        created_at: tx.now,
      }),
    );
    return id;
  };
  const repo_ids = [await link('shop', repo)];
  for (const name of more_repos) {
    git('clone', '-q', '.', join(folder, name));
    repo_ids.push(await link(name, join(folder, name)));
  }

  const errors: unknown[] = [];
  const report = (error: unknown): void => void errors.push(error);
  const machine = readMachine(folder, { ids, clock: Date.now });
  const env = {
    PATH: [...(programs === undefined ? [] : [programs]), '/usr/local/bin:/usr/bin:/bin'].join(':'),
    HOME: join(folder, 'home'),
  };
  const command: [string, ...string[]] = acp === undefined ? ['/bin/sh', '-c', agent] : [...acp];
  const kind = acp === undefined ? ('command' as const) : ('acp' as const);
  const scripted = { kind, command, env: acp === undefined ? {} : { STATE_DIR: '/tmp' }, variants: {} };
  const config = { executors: { scripted }, agents: {}, runner: {} };
  const queue = createRunQueue(world.store, ids, budgets);
  const root = join(folder, 'attempts');
  const processes = await createProcesses({ machine, isolation: 'auto', hides: [folder], report });
  const start = async () =>
    startWorker({
      queue: { ...queue, ...different?.(queue) },
      log: createRunLog(world.store, ids, budgets),
      messages: createRunMessages(world.store, ids),
      ids,
      clock: Date.now,
      workers: createWorkers(world.store, { ids, budgets }),
      removals: createRemovals(world.store),
      leftovers: createLeftovers(world.store),
      processes,
      attemptFolders: createAttemptFolders({ root }),
      gitJobs: createGitJobs(world.store, ids),
      ship: createShip({ git: createGit(env), root, ...(steps && { steps }) }),
      pullRequests: createPullRequests({
        git: createGit(env),
        run: createOperatorProgram(env),
        forges,
        clock: Date.now,
      }),
      requestWatches: createRequestWatches(world.store, ids),
      executors: createExecutors({ config, offerKnown: false, env, errandArgv: [] }),
      checks: ChecksConfig.parse(checks),
      machine,
      env,
      url: 'http://127.0.0.1:9',
      watch: world.store.watch,
      max_runs: 4,
      // Heartbeats come every third of it, and folders are removed with them.
      lease_ms: 1_500,
      report,
    });
  const worker = await start();

  const repos = repo_ids.map((repo_id) => ({ repo_id }));

  return {
    ...world,
    worker,
    project_id: project_id as ProjectId,
    task_id,
    hides: processes.hides,
    errors,
    repo,
    root,
    git,
    begin: async (fields: Record<string, unknown> = {}): Promise<string> =>
      (await world.ask('start_task_attempt', { task_id, executor: 'scripted', repos, ...fields })).attempt_id as string,
    attempt: (attempt_id: string) => world.ask('get_attempt', { attempt_id, include: ['files'] }),
    feed: async (attempt_id: string): Promise<string> =>
      JSON.stringify((await world.ask('tail_attempt', { attempt_id })).entries),
    [Symbol.asyncDispose]: async () => {
      await worker.close();
      await world.store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
