import type { PreparedRepo } from './attempt-repos.ts';
import type { AgentProcess, RunSink } from './executor.ts';
import { readLines } from './executors/read-lines.ts';
import { RunFailure } from './run-failure.ts';

export interface SetupNeeds {
  readonly spawn: (
    argv: readonly string[],
    folder: string,
    env: Readonly<Record<string, string>>,
  ) => Promise<AgentProcess>;
  readonly env: Readonly<Record<string, string>>;
  readonly sink: RunSink;
  readonly signal: AbortSignal;
}

const MAX_LINE_CHARACTERS = 4_000;

/** Runs the set-up script of a repository in its new folder, for example to install packages. */
export async function runSetup({ repo, name, folder, setup_script }: PreparedRepo, needs: SetupNeeds): Promise<void> {
  if (setup_script === null || repo.is_set_up) return;
  const { spawn, env, sink, signal } = needs;
  const step = { name: `Set up ${name}`, message: null, source: 'script' } as const;
  sink.step(`setup ${folder}`, { ...step, status: 'running' });
  const script = await spawn(['/bin/sh', '-c', setup_script], folder, env);
  script.stdin.end();
  signal.addEventListener('abort', () => void script.stop(), { once: true });
  const read = [script.stdout, script.stderr].map((output) =>
    readLines(output, MAX_LINE_CHARACTERS, (line) => sink.feed('output', line)),
  );
  const { code, signal: killer } = await script.exited;
  await Promise.all(read);
  if (code === 0) return sink.step(`setup ${folder}`, { ...step, status: 'completed' });
  const reason = `The set-up script of ${name} failed: ${code === null ? `ended by ${killer}` : `exit code ${code}`}.`;
  sink.step(`setup ${folder}`, { ...step, status: 'failed', message: reason });
  throw new RunFailure(reason);
}
