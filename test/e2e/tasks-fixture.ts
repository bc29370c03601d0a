import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { createInterface } from 'node:readline';
import { sourceEnvironment } from './program.ts';

const KEEP_COMPILED = join(import.meta.dirname, 'keep-compiled.ts');
const FIXTURE = join(import.meta.dirname, '../../examples/conformance-server/src/main.ts');

/** The arguments of Node that start the fixture server. */
export const fixtureArgs = (...flags: readonly string[]): string[] => [
  ...['--conditions=errand-source', '--disable-warning=ExperimentalWarning', '--import', KEEP_COMPILED],
  ...[FIXTURE, ...flags],
];

export interface Fixture extends AsyncDisposable {
  readonly url: string;
}

const running = new Set<ChildProcess>();

export function stopFixtures(): void {
  for (const child of running) child.kill();
}

/** Starts the conformance server, with its task tools. */
export async function startFixture(...flags: readonly string[]): Promise<Fixture> {
  const child = spawn(execPath, fixtureArgs(...flags), {
    env: sourceEnvironment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  running.add(child);
  child.once('exit', () => running.delete(child));
  const stop = async (): Promise<void> => {
    child.kill();
    await ended;
  };
  for await (const url of createInterface({ input: child.stdout })) return { url, [Symbol.asyncDispose]: stop };
  throw new Error('The fixture server did not start.');
}
