import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { constants } from 'node:os';
import { PassThrough } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { AgentProcess } from '#runner/executor';
import type { ProcessCounter } from './count-processes.ts';
import { drain } from './drain.ts';
import { signal } from './end-members.ts';
import { findProgram } from './find-program.ts';
import { realPath } from './hidden-paths.ts';
import type { Isolation } from './isolation.ts';
import { ProcessError } from './process-error.ts';
import { RUN_MARK, startTimeOf } from './process-table.ts';
import type { RunTrace } from './run-members.ts';

const GRACE_MS = 2000;

export interface ProgramSpec {
  readonly argv: readonly string[];
  readonly folder: string;
  /** The whole environment, except for the run's mark, which is added. */
  readonly env: Readonly<Record<string, string>>;
  readonly execution_id: string;
  /** The hidden paths that this program may see. */
  readonly shows: readonly string[];
}

export interface ProgramSurroundings {
  readonly isolation: Isolation;
  readonly counter: ProcessCounter;
  readonly max_processes: number;
  /** Kills all processes of a run; never rejects. */
  readonly end: (trace: RunTrace) => Promise<unknown>;
}

type Exit = Awaited<AgentProcess['exited']>;

/** Starts a program in its own session. All processes that it starts end with it. */
export async function startProgram(
  spec: ProgramSpec,
  { isolation, counter, max_processes, end }: ProgramSurroundings,
): Promise<AgentProcess & { readonly started: string }> {
  const { child, stdout, stderr, pid, started } = await launch(spec, isolation);
  const trace: RunTrace = { execution_id: spec.execution_id, session: pid, known: new Map([[pid, started]]) };
  let reason: string | null = null;
  let ending = false;

  const unwatch = counter.watch({
    trace,
    exceeded: () => {
      reason = `It had more than ${max_processes} processes at once.`;
      if (ending) return;
      ending = true;
      void end(trace).then(() => {
        ending = false;
      });
    },
  });

  const gone = new Promise<Exit>((resolve) => {
    child.once('exit', async (code, by) => {
      unwatch();
      await end(trace);
      resolve(isolation.kind === 'namespace' ? exitOf(code, by) : { code, signal: by });
    });
  });

  const isGoneSoon = async () => (await Promise.race([gone, delay(GRACE_MS, null, { ref: false })])) !== null;
  let stopping: Promise<void> | null = null;
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) signal(-pid, 'SIGTERM');
    while (!(await isGoneSoon())) await end(trace);
  };

  return {
    pid,
    started,
    stdin: child.stdin,
    stdout,
    stderr,
    exited: gone.then((exit) =>
      drain({ pipes: [child.stdout, child.stderr], outputs: [stdout, stderr] }).then(() => exit),
    ),
    stop: async () => {
      stopping ??= stop();
      await stopping;
    },
    kill: async () => {
      do await end(trace);
      while (!(await isGoneSoon()));
    },
    killed_for: () => reason,
  };
}

async function launch(spec: ProgramSpec, isolation: Isolation) {
  const env = { ...spec.env, [RUN_MARK]: spec.execution_id };
  const { folder, execution_id } = spec;
  const view = { folder, execution_id, shows: spec.shows.flatMap((path) => realPath(path) ?? []) };
  const [file, ...args] = isolation.wrap(programOf(spec), new Set(Object.keys(env)), view);
  const child = attempt(() => spawn(file, args, { cwd: spec.folder, env, detached: true, stdio: 'pipe' }));
  // Read before any await: a short program may have ended by then, and its start time would be gone.
  const started = child.pid === undefined ? null : startTimeOf(child.pid);
  // A program may end while it is written to or read from: `exited` reports that.
  for (const stream of child.stdio) stream?.on('error', () => undefined);
  // Piped before any await: Node drops output that no stream reads when the program exits.
  const [stdout, stderr] = [child.stdout.pipe(new PassThrough()), child.stderr.pipe(new PassThrough())];

  await once(child, 'spawn').catch((error: unknown) => {
    throw refusal(error);
  });
  if (child.pid === undefined) throw new ProcessError('The program could not be started.');
  return { child, stdout, stderr, pid: child.pid, started: started ?? '' };
}

function programOf({ argv, folder, env }: ProgramSpec): readonly [string, ...string[]] {
  const [name = '', ...args] = argv;
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new ProcessError(`The folder to run in does not exist: ${folder}.`);
  }
  // The shell in between silently drops such names.
  const odd = Object.keys(env).find((key) => !/^[A-Za-z_]\w*$/.test(key));
  if (odd !== undefined) throw new ProcessError(`${JSON.stringify(odd)} cannot be the name of a variable of a run.`);
  return [findProgram(name, folder, env.PATH), ...args];
}

function attempt(start: () => ChildProcessWithoutNullStreams): ChildProcessWithoutNullStreams {
  try {
    return start();
  } catch (error) {
    throw refusal(error);
  }
}

function refusal(error: unknown): ProcessError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  if (code === 'E2BIG') return new ProcessError('The arguments of the program are too long.', { cause: error });
  return new ProcessError(`The program could not be started (${code}).`, { cause: error });
}

// The first process of a namespace reports a signal as shells do, by a number above 128.
function exitOf(code: number | null, by: NodeJS.Signals | null): Exit {
  const name = Object.entries(constants.signals).find(([, number]) => code === 128 + number)?.[0];
  if (name === undefined) return { code, signal: by };
  return { code: null, signal: name as NodeJS.Signals }; // Safe: the table of signals has no other names.
}
