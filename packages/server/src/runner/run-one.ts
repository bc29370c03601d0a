import { setTimeout as sleep } from 'node:timers/promises';
import type { RunEnding } from '#services/runs/finish';
import { RunLost } from '#services/runs/held-run';
import type { ClaimedRun, RunQueue } from '#services/runs/queue';
import type { RunLog } from '#services/runs/run-log';
import type { AgentProcess, RunEnd } from './executor.ts';
import type { Executors } from './executors/create-executors.ts';
import type { Workspaces } from './git/workspaces.ts';
import { collectRepos, type Placed, placeRepos, workingFolder } from './prepare-run.ts';
import type { Machine } from './process/machine.ts';
import type { Processes } from './process/processes.ts';
import { runEnvironment } from './process/run-environment.ts';
import { RunFailure } from './run-failure.ts';
import { runSetup } from './run-setup.ts';
import { createRunSink } from './run-sink.ts';
import { runVariables } from './run-variables.ts';

export interface RunNeeds {
  readonly queue: RunQueue;
  readonly log: RunLog;
  readonly processes: Processes;
  readonly workspaces: Workspaces;
  readonly executors: Executors;
  readonly machine: Machine;
  /** Of this process; runs get the allowed part of it. */
  readonly env: NodeJS.ProcessEnv;
  /** Where agents reach Errand. */
  readonly url: string;
  /** Cloning is the one part that takes the whole machine: only so many at once. */
  readonly preparing: <T>(work: () => Promise<T>) => Promise<T>;
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
  const { queue, log, workspaces, processes, executors, report } = needs;
  const abort = new AbortController();
  let cut: Cut | null = null;
  const processesOfRun = new Set<AgentProcess>();

  function end(why: Cut): void {
    // What is lost stays lost; a stop that someone asked for outranks the end of the server.
    if (cut === 'lost' || (cut !== null && why === 'shutdown')) return;
    cut = why;
    abort.abort();
  }

  const sink = createRunSink({ hold: claimed, log, lost: () => end('lost'), report });

  const spawn = async (argv: readonly string[], folder: string, env: Readonly<Record<string, string>>) => {
    if (abort.signal.aborted || !(await queue.beginSpawn(claimed))) {
      if (cut === null) end('stopped');
      throw new RunFailure('stopped before it began');
    }
    const spawned = await processes.spawn({ argv, folder, env, execution_id: claimed.execution_id });
    processesOfRun.add(spawned);
    const { boot_id } = needs.machine;
    await queue.noteProcess(claimed, { pid: spawned.pid, pid_started: spawned.started, boot_id });
    return spawned;
  };

  async function runAgent(placed: readonly Placed[]): Promise<RunEnd> {
    const { run, session, recap, secret } = claimed;
    const executor = executors.resolve(run.executor, run.variant);
    if (executor === null) throw new RunFailure(`This machine has no executor ${run.executor} any more.`);
    const folder = workingFolder(placed);
    const env = {
      ...runEnvironment(needs.env, executor.passes),
      ...executor.env,
      ...runVariables({ url: needs.url, secret, execution_id: claimed.execution_id, session }),
    };
    for (const repo of placed) await runSetup(repo, { spawn, env, sink, signal: abort.signal });
    return executor.run(
      {
        prompt: run.prompt,
        recap,
        agent_session_id: session.agent_session_id,
        folder,
        mcp: { url: `${needs.url}/mcp`, token: secret },
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

  async function attemptRun(place: (placed: readonly Placed[]) => void): Promise<RunEnding> {
    const placed = await needs.preparing(() => placeRepos(workspaces, claimed));
    place(placed);
    await queue.noteRepos(
      claimed,
      placed.map(({ repo }) => repo),
    );
    return await untilEnded(runAgent(placed));
  }

  async function work(): Promise<void> {
    let placed: readonly Placed[] = [];
    const ending = await attemptRun((found) => {
      placed = found;
    }).catch((error: unknown): RunEnding => failureOf(error, report, () => end('lost')));
    if (isLost()) return void (await sink.close());

    const repos = await collectRepos(workspaces, claimed.attempt, placed, {
      message: `${claimed.title}\n\nErrand-Attempt: ${claimed.attempt.id}`,
      tell: (text) => sink.feed('status', text),
    });
    await sink.close();
    await finish(cutEnding() ?? ending, repos);
  }

  const isLost = (): boolean => cut === 'lost';

  function cutEnding(): RunEnding | null {
    if (cut === 'stopped') return { status: 'killed', reason: 'stopped' };
    return cut === 'shutdown' ? { status: 'interrupted', reason: 'the worker that ran it was stopped' } : null;
  }

  /** A database that is away for a while must not cost the end of a run: it has happened already. */
  async function finish(ending: RunEnding, repos: Awaited<ReturnType<typeof collectRepos>>): Promise<void> {
    while (!isLost()) {
      try {
        return await queue.finish(claimed, ending, repos);
      } catch (error) {
        if (error instanceof RunLost) return;
        report(error);
        await sleep(RETRY_MS);
      }
    }
  }

  return { claimed, cut: end, lookForAnswers: sink.lookForAnswers, done: work().catch(report) };
}

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
