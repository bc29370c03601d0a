import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { createInterface } from 'node:readline';
import { cleanEnvironment, ERRAND, type Place, placeFlags, sourceEnvironment } from '../program.ts';
import type { Plant } from './plants.ts';

const MAIN = join(import.meta.dirname, '../../../packages/server/src/main.ts');
const PLANTED = join(import.meta.dirname, 'planted.ts');

export interface Launched extends AsyncDisposable {
  readonly pid: number;
  /** The line with which the process reports that it is ready. */
  readonly line: string;
  /** The other lines of its output. */
  readonly lines: readonly string[];
  readonly signal: (name: NodeJS.Signals) => void;
  /** Kills the process and waits until it has ended. */
  readonly kill: () => Promise<void>;
}

export interface LaunchOptions {
  readonly place: Place;
  readonly plant?: Plant | undefined;
}

const running = new Set<ChildProcess>();

/** Ends the processes of a test that has hit its time limit. */
export function endLaunched(): void {
  for (const child of running) child.kill('SIGKILL');
}

/** Starts `errand …` in its own process, with a planted fault if one is given. */
export async function launch(
  args: readonly string[],
  ready: RegExp,
  { place, plant }: LaunchOptions,
): Promise<Launched> {
  const program = plant === undefined ? [ERRAND] : ['--conditions=errand-source', '--import', PLANTED, MAIN];
  const child = spawn(execPath, [...program, ...args, ...placeFlags(place)], {
    env: plant === undefined ? cleanEnvironment() : sourceEnvironment({ PLANT: plant }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  running.add(child);
  child.once('exit', () => running.delete(child));
  const lines: string[] = [];
  const announced = Promise.withResolvers<string>();
  const hear = (line: string): void => {
    if (ready.test(line)) announced.resolve(line);
    else lines.push(line);
  };
  createInterface({ input: child.stdout }).on('line', hear);
  createInterface({ input: child.stderr }).on('line', hear);
  void ended.then(() => announced.reject(new Error(`errand ${args[0]} ended: ${lines.join('\n').slice(0, 2_000)}`)));
  const line = await announced.promise;

  const kill = async (): Promise<void> => {
    // SIGKILL also ends a stopped process.
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await ended;
  };
  return {
    pid: child.pid ?? 0,
    line,
    lines,
    signal: (name) => void child.kill(name),
    kill,
    [Symbol.asyncDispose]: kill,
  };
}

export interface LaunchedServer extends Launched {
  readonly origin: string;
}

export async function launchServer(options: LaunchOptions): Promise<LaunchedServer> {
  const launched = await launch(['serve', '--port', '0'], /^\{"board"/, options);
  const { mcp } = JSON.parse(launched.line) as { readonly mcp: string };
  return { ...launched, origin: new URL(mcp).origin };
}

export const launchWorker = (url: string, options: LaunchOptions): Promise<Launched> =>
  launch(['worker', '--url', url], /"msg":"ready"/, options);
