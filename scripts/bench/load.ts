import { execFile, execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { env, execPath, getuid } from 'node:process';
import { promisify } from 'node:util';
import { temporaryFolder } from '../../test/e2e/program.ts';

export interface Shot {
  readonly url: string;
  /** The request paths, when not all go to the path of `url`: some at once, each `times` times, then the next. */
  readonly route?: { readonly paths: readonly string[]; readonly at_once: number; readonly times: number };
  readonly headers: Readonly<Record<string, string>>;
  /** The body of each request. `$KEY` in it is replaced by a unique text. */
  readonly body: string;
  /** Texts of which each request takes the next in the place of `$ONE`. */
  readonly ones?: readonly string[];
}

export interface Load {
  readonly connections: number;
  readonly seconds: number;
}

export interface Burst {
  readonly requests: number;
  readonly seconds: number;
  readonly failed: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
}

const run = promisify(execFile);
const works = (command: string, ...args: string[]): boolean => {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};
const hasWrk = (): boolean => works('sh', '-c', 'command -v wrk');

/** Finds `wrk`, or installs it if that needs no confirmation. Returns false when it is not available. */
export function findWrk(): boolean {
  if (hasWrk()) return true;
  if (getuid?.() !== 0) return false;
  return works('sh', '-c', 'apt-get update && apt-get install -y wrk') && hasWrk();
}

let runs = 0;

/** Sends as many requests as fit into the time, over a fixed number of open connections. */
export async function fire(shot: Shot, { connections, seconds }: Load, wrk: boolean): Promise<Burst> {
  const { origin, pathname } = new URL(shot.url);
  const headers = Object.entries(shot.headers).map(([name, value]) => `${name}: ${value}`);
  const { paths, at_once, times } = shot.route ?? { paths: [pathname], at_once: 1, times: 1 };
  // In a file: the environment of a process is too small for this many requests.
  await using folder = await temporaryFolder();
  const list = join(folder.path, 'paths');
  await writeFile(list, paths.join('\n'));
  const settings = {
    BENCH_PATHS: list,
    BENCH_AT_ONCE: String(at_once),
    BENCH_TIMES: String(times),
    BENCH_BODY: shot.body,
    BENCH_ONES: (shot.ones ?? []).join(','),
    BENCH_HEADERS: headers.join('\n'),
    BENCH_RUN: `${Date.now().toString(36)}-${++runs}`,
  };
  const shape = [`-c${connections}`, `-d${seconds}s`];
  const [command, args] = wrk
    ? ['wrk', ['-t1', ...shape, '--timeout', '10s', '-s', join(import.meta.dirname, 'load.lua'), origin]]
    : [execPath, [join(import.meta.dirname, 'loader.ts'), String(connections), String(seconds), origin]];
  const { stdout } = await run(command, args, { env: { ...env, ...settings } });
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Burst;
}
