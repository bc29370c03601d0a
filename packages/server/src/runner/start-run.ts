import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AttemptRepo } from '#domain/attempt';
import type { RunEnding } from '#services/runs/finish';
import { RunLost } from '#services/runs/held-run';
import type { ClaimedRun, RunQueue } from '#services/runs/queue';
import type { RunLog } from '#services/runs/run-log';
import {
  commitRepos,
  outsideWords,
  type PreparedRepo,
  prepareRepos,
  repoFoldersOf,
  workingFolder,
} from './attempt-repos.ts';
import type { ConcurrencyLimit } from './concurrency.ts';
import type { AgentProcess, RunEnd } from './executor.ts';
import { cleanText } from './executors/clean-text.ts';
import type { Executors } from './executors/create-executors.ts';
import type { AttemptFolders } from './git/attempt-folders.ts';
import { hideToken } from './hide-token.ts';
import { isAway } from './is-away.ts';
import type { Machine } from './process/machine.ts';
import type { Processes } from './process/processes.ts';
import { runEnvironment } from './process/run-environment.ts';
import { RunFailure } from './run-failure.ts';
import { runSetup, type SetupNeeds } from './run-setup.ts';
import { createRunSink } from './run-sink.ts';
import { runVariables } from './run-variables.ts';
import { watchChanges } from './watch-changes.ts';

export interface RunNeeds {
  readonly queue: RunQueue;
  readonly log: RunLog;
  readonly processes: Processes;
  readonly attemptFolders: AttemptFolders;
  readonly executors: Executors;
  readonly machine: Machine;
  /** Of this process; runs get the allowed part of it. */
  readonly env: NodeJS.ProcessEnv;
  /** Where agents reach Errand. */
  readonly url: string;
  /** Git takes the whole machine, and each start of it holds up the server: only so many at once. */
  readonly limitGit: ConcurrencyLimit;
  readonly report: (error: unknown) => void;
}

/** Why a run ends before its agent does: someone wants it, this worker stops, or another has taken the run over. */
type Cut = 'stopped' | 'shutdown' | 'lost';

export interface ActiveRun {
  readonly claimed: ClaimedRun;
  readonly cut: (why: Cut) => void;
  readonly lookForAnswers: () => Promise<void>;
  /** Resolves when nothing of it is left; never rejects. */
  readonly done: Promise<void>;
}

/** What the agent has to wind up by itself before its process is ended. */
const GRACE_MS = 1_500;
const RETRY_MS = 500;

/** Does one run from its folders to its last commit. */
export function startRun(claimed: ClaimedRun, needs: RunNeeds): ActiveRun {
  const { queue, log, attemptFolders, processes, executors, report } = needs;
  const abort = new AbortController();
  let cut: Cut | null = null;
  const processesOfRun = new Set<AgentProcess>();
  const places = new Map<string, PreparedRepo>();

  function end(why: Cut): void {
    // What is lost stays lost; a stop that someone asked for outranks the end of the server.
    if (cut === 'lost' || (cut !== null && why === 'shutdown')) return;
    cut = why;
    abort.abort();
  }

  const sink = createRunSink({ hold: claimed, secret: claimed.secret, log, lost: () => end('lost'), report });

  /** What it may see of the data folder: its attempt, repositories that lie there, and the home and program that the operator put there. */
  const shownTo = (env: Readonly<Record<string, string>>): readonly string[] => {
    const program = executors.resolve(claimed.entry.executor, claimed.entry.variant)?.argv ?? [];
    const own = claimed.repos.map(({ repo_path }) => repo_path);
    return [
      attemptFolders.folder(claimed.attempt.id),
      ...own,
      ...program.filter(isFile),
      ...(env.HOME ? [env.HOME] : []),
    ];
  };

  const spawn = async (argv: readonly string[], folder: string, env: Readonly<Record<string, string>>) => {
    if (abort.signal.aborted || !(await queue.beginSpawn(claimed))) {
      if (cut === null) end('stopped');
      throw new RunFailure('stopped before it began');
    }
    const spawned = await processes.spawn({
      argv,
      folder,
      env,
      shows: shownTo(env),
      execution_id: claimed.execution_id,
    });
    processesOfRun.add(spawned);
    // Told to end while it was being started: whoever ends processes has looked already.
    if (abort.signal.aborted) await spawned.stop();
    const { boot_id } = needs.machine;
    await queue.noteProcess(claimed, { pid: spawned.pid, pid_started: spawned.started, boot_id });
    return spawned;
  };

  async function noteRepos(repos: readonly AttemptRepo[]): Promise<void> {
    for (const [folder, place] of places) {
      const repo = repos.find(({ repo_id }) => repo_id === place.repo.repo_id);
      if (repo !== undefined) places.set(folder, { ...place, repo });
    }
    await queue.noteRepos(claimed, repos);
  }

  /** What has been done to its end is not done again for the next run, and what has not is. */
  async function setUp(placed: readonly PreparedRepo[], setting: SetupNeeds): Promise<void> {
    for (const one of placed.filter(({ setup_script, repo }) => setup_script !== null && !repo.is_set_up)) {
      await runSetup(one, setting);
      await noteRepos([{ ...one.repo, is_set_up: true }]);
    }
  }

  async function runAgent(placed: readonly PreparedRepo[]): Promise<RunEnd> {
    const { entry, session, recap, secret } = claimed;
    const executor = executors.resolve(entry.executor, entry.variant);
    if (executor === null) throw new RunFailure(`This machine has no executor ${entry.executor} any more.`);
    const folder = workingFolder(placed);
    const variables = runVariables({ url: needs.url, secret, execution_id: claimed.execution_id, session });
    const env = { ...runEnvironment(needs.env, executor.passes), ...executor.env, ...variables };
    await setUp(placed, { spawn, env, sink, signal: abort.signal });
    return executor.run(
      {
        prompt: entry.prompt,
        recap,
        agent_session_id: session.agent_session_id,
        folder,
        mcp: { url: `${needs.url}/mcp`, token: secret },
        variables,
        start: (more = []) => spawn([...executor.argv, ...more], folder, env),
        signal: abort.signal,
      },
      sink,
    );
  }

  /** Ends the processes a little after the run was told to end, and all that is left of them when it has. */
  async function untilEnded(running: Promise<RunEnd>): Promise<RunEnd> {
    const killing = new AbortController();
    const kill = async (): Promise<void> => {
      await new Promise<void>((resolve) => {
        if (abort.signal.aborted) resolve();
        else abort.signal.addEventListener('abort', () => resolve(), { once: true });
      });
      await sleep(GRACE_MS, undefined, { signal: killing.signal }).catch(() => undefined);
      await stopProcesses();
    };
    const killed = kill();
    try {
      // An executor that does not notice the end of its process must not keep the run.
      return await Promise.race([running, killed.then((): RunEnd => STOPPED)]);
    } finally {
      killing.abort();
      running.catch(() => undefined);
      await stopProcesses();
    }
  }

  const stopProcesses = async (): Promise<void> => {
    await Promise.all([...processesOfRun].map((process) => process.stop()));
  };

  async function place(): Promise<readonly PreparedRepo[]> {
    // Cut while it waited: there is no use in folders any more.
    if (abort.signal.aborted) throw new RunFailure('stopped before it began');
    return prepareRepos(attemptFolders, claimed, isOurs);
  }

  const coAuthor = (): string => {
    const { executor, variant } = claimed.entry;
    const title = executors.resolve(executor, variant)?.title ?? executor;
    return `Co-authored-by: ${title.replaceAll(/[<>\s]+/g, ' ').trim()} <${executor}@errand.localhost>`;
  };

  const collect = () =>
    commitRepos(attemptFolders, claimed.attempt, [...places.values()], {
      message: `${claimed.title}\n\nErrand-Attempt: ${claimed.attempt.id}\n${coAuthor()}`,
      author: claimed.author,
      tell: (text) => sink.feed('status', text),
      isOurs,
      report,
    });

  /** Says what the agent left beside its repositories, which is in no commit. */
  async function tellOutside(): Promise<string | null> {
    const { id, outside: before } = claimed.attempt;
    const folders = repoFoldersOf(attemptFolders, claimed.attempt, claimed.repos).map(
      ({ place: { folder } }) => folder,
    );
    const found = await attemptFolders.outside(id, folders).catch((error: unknown) => report(error));
    if (found === undefined) return before;
    const text = found === null ? null : hideToken(JSON.stringify(found), claimed.secret);
    if (found !== null && text !== before) sink.feed('status', outsideWords(id, found));
    return text;
  }

  async function attemptRun(): Promise<RunEnding> {
    // Its folders are those of the run before, whose processes nobody has ended if it was given up on from afar.
    if (claimed.left?.host_id === needs.machine.host_id) await processes.sweep(claimed.left);
    const placed = await needs.limitGit(place);
    for (const one of placed) places.set(one.folder, one);
    await noteRepos(placed.map(({ repo }) => repo));
    const stopWatching = watchChanges({
      attemptFolders,
      attempt: claimed.attempt,
      places: () => [...places.values()],
      isNews: sink.isNews,
      write: noteRepos,
      limitGit: needs.limitGit,
      report,
    });
    try {
      return withoutToken(await untilEnded(runAgent(placed)), claimed.secret);
    } finally {
      await stopWatching();
    }
  }

  async function work(): Promise<void> {
    const ending = await attemptRun().catch((error: unknown): RunEnding => failureOf(error, report, () => end('lost')));
    if (!(await isOurs())) return void (await sink.close());

    // Before what only begins: somebody waits for it, and what it leaves room for is the next.
    const { repos, failures } = await needs.limitGit(collect, { is_urgent: true });
    const outside = await tellOutside();
    await sink.close();
    await finish({ ...(cutEnding() ?? (failures.length > 0 ? uncommitted(ending) : ending)), outside }, repos);
  }

  const isLost = (): boolean => cut === 'lost';

  /** A process that was asleep learns here that its run was taken over, before it touches folders that others work in. */
  async function isOurs(): Promise<boolean> {
    while (!isLost()) {
      try {
        if (await queue.isHeld(claimed)) return true;
        end('lost');
      } catch (error) {
        report(error);
        await sleep(RETRY_MS);
      }
    }
    return false;
  }

  function cutEnding(): RunEnding | null {
    if (cut === 'stopped') return { status: 'killed', reason: 'stopped' };
    return cut === 'shutdown' ? { status: 'interrupted', reason: 'the worker that ran it was stopped' } : null;
  }

  /** A database that is away for a while must not cost the end of a run: it has happened already. */
  async function finish(ending: RunEnding, repos: readonly AttemptRepo[]): Promise<void> {
    while (!isLost()) {
      try {
        return await queue.finish(claimed, ending, repos);
      } catch (error) {
        if (error instanceof RunLost) return;
        report(error);
        if (!isAway(error)) return await queue.finish(claimed, UNWRITABLE, []);
        await sleep(RETRY_MS);
      }
    }
  }

  return { claimed, cut: end, lookForAnswers: sink.lookForAnswers, done: work().catch(report) };
}

const isFile = (path: string): boolean =>
  isAbsolute(path) && statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** What the agent said at last, and why it ended, in words that may be shown. */
function withoutToken({ status, reason, summary }: RunEnd, secret: string): RunEnding {
  const hidden = (text: string | null): string | null => (text === null ? null : hideToken(cleanText(text), secret));
  return { status, reason: hidden(reason), summary: hidden(summary) };
}

/** For an end that the database refuses to take as it is. */
const UNWRITABLE: RunEnding = { status: 'failed', reason: 'How the run ended could not be written: see the log.' };

/** What is in no commit was not done, whatever the agent says. */
const uncommitted = (ending: RunEnding): RunEnding =>
  ending.status === 'completed'
    ? { ...ending, status: 'failed', reason: 'its changes could not be committed' }
    : ending;

const STOPPED: RunEnd = { status: 'failed', reason: 'stopped', summary: null };

function failureOf(error: unknown, report: (error: unknown) => void, lost: () => void): RunEnding {
  if (error instanceof RunFailure) {
    if (error.detail !== null) report(error);
    return { status: 'failed', reason: error.message };
  }
  if (error instanceof RunLost) lost();
  else report(error);
  return { status: 'failed', reason: 'The run could not be done: see the log of the server.' };
}
