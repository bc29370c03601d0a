import { createInterface } from 'node:readline';
import type { AgentProcess, RunSink } from './executor.ts';
import type { Placed } from './prepare-run.ts';
import { RunFailure } from './run-failure.ts';

interface SetupNeeds {
  readonly spawn: (
    argv: readonly string[],
    folder: string,
    env: Readonly<Record<string, string>>,
  ) => Promise<AgentProcess>;
  readonly env: Readonly<Record<string, string>>;
  readonly sink: RunSink;
  readonly signal: AbortSignal;
}

/** Runs what an administrator wants to be done in every new folder of a repository, such as installing packages. */
export async function runSetup({ name, folder, setup_script, is_fresh }: Placed, needs: SetupNeeds): Promise<void> {
  if (setup_script === null || !is_fresh) return;
  const { spawn, env, sink, signal } = needs;
  const step = { name: `Set up ${name}`, message: null, source: 'script' } as const;
  sink.step(`setup ${folder}`, { ...step, status: 'running' });
  const script = await spawn(['/bin/sh', '-c', setup_script], folder, env);
  script.stdin.end();
  signal.addEventListener('abort', () => void script.stop(), { once: true });
  for (const output of [script.stdout, script.stderr]) {
    createInterface({ input: output }).on('line', (line) => sink.feed('output', line));
  }
  const { code, signal: killer } = await script.exited;
  if (code === 0) return sink.step(`setup ${folder}`, { ...step, status: 'completed' });
  const reason = `The set-up script of ${name} failed: ${code === null ? `ended by ${killer}` : `exit code ${code}`}.`;
  sink.step(`setup ${folder}`, { ...step, status: 'failed', message: reason });
  throw new RunFailure(reason);
}
