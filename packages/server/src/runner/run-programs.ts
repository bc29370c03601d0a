import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClaimedRun } from '#services/runs/queue';
import type { AgentProcess, RunEnd } from './executor.ts';
import { RunFailure } from './run-failure.ts';
import type { RunHold } from './run-hold.ts';
import type { RunNeeds } from './run-needs.ts';

type Env = Readonly<Record<string, string>>;

export interface RunPrograms {
  /** Starts a program of the run, once the store has noted that one is about to start. */
  readonly start: (argv: readonly string[], folder: string, env: Env) => Promise<AgentProcess>;
  /** Waits for the agent, or ends its programs shortly after the run had to end early. No program is left when it settles. */
  readonly untilEnded: (running: Promise<RunEnd>) => Promise<RunEnd>;
}

interface Needs extends Pick<RunNeeds, 'queue' | 'processes' | 'attemptFolders' | 'executors' | 'machine'> {
  readonly claimed: ClaimedRun;
  readonly hold: RunHold;
}

/** The time that an agent has to end by itself before its programs are ended. */
const GRACE_MS = 1_500;
/**
 * How long an agent whose budget is used up may take to end. It spends until then, so its programs are killed after
 * that.
 */
const BUDGET_GRACE_MS = 1_000;

const CUT: RunEnd = { status: 'failed', reason: 'stopped', summary: null };

const isFile = (path: string): boolean =>
  isAbsolute(path) && statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** The programs that a run has started. */
export function createRunPrograms({ claimed, hold, ...needs }: Needs): RunPrograms {
  const { queue, processes, attemptFolders, executors, machine } = needs;
  const { signal } = hold;
  const started = new Set<AgentProcess>();

  const stopAll = async (): Promise<void> => {
    await Promise.all([...started].map((program) => program.stop()));
  };

  /** What the run may see of the data folder: its attempt, its repositories, its home and the program of its executor. */
  const shownTo = (env: Env): readonly string[] => {
    const { executor, variant } = claimed.entry;
    const program = executors.resolve(executor, variant)?.argv ?? [];
    const repos = claimed.repos.map(({ repo_path }) => repo_path);
    const home = env.HOME ? [env.HOME] : [];
    return [attemptFolders.folder(claimed.attempt.id), ...repos, ...program.filter(isFile), ...home];
  };

  async function start(argv: readonly string[], folder: string, env: Env): Promise<AgentProcess> {
    if (signal.aborted || !(await queue.beginSpawn(claimed))) {
      if (hold.earlyEnd() === null) hold.endEarly('stopped');
      throw new RunFailure('stopped before it began');
    }
    const { execution_id } = claimed;
    const program = await processes.spawn({ argv, folder, env, shows: shownTo(env), execution_id });
    started.add(program);
    // Cut while the program was being started: `stopAll` has run already.
    if (signal.aborted) await program.stop();
    const { boot_id } = machine;
    await queue.noteProcess(claimed, { pid: program.pid, pid_started: program.started, boot_id });
    return program;
  }

  /** Resolves once the run had to end early and its programs have ended; `agentEnded` skips the time of grace. */
  async function stoppedAfterCut(agentEnded: AbortSignal): Promise<RunEnd> {
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener('abort', () => resolve(), { once: true });
    });
    const isOverBudget = hold.earlyEnd() === 'budget_exceeded';
    const grace = isOverBudget ? BUDGET_GRACE_MS : GRACE_MS;
    await sleep(grace, undefined, { signal: agentEnded }).catch(() => undefined);
    if (isOverBudget) await Promise.all([...started].map((program) => program.kill()));
    await stopAll();
    return CUT;
  }

  return {
    start,
    untilEnded: async (running) => {
      const agentEnded = new AbortController();
      try {
        // An executor that does not notice the end of its program must not keep the run.
        return await Promise.race([running, stoppedAfterCut(agentEnded.signal)]);
      } finally {
        agentEnded.abort();
        running.catch(() => undefined);
        await stopAll();
      }
    },
  };
}
