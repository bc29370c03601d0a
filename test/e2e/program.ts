import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env, execPath } from 'node:process';
import { createInterface } from 'node:readline';

export const ERRAND = join(import.meta.dirname, '../../packages/server/bin/errand.cjs');

const OURS = /^(?:ERRAND_|TASK_MANAGER_|USE_MOCK_CLIENT$|NOVA_EXECUTION_ID$|CLAUDE_CODE_SESSION_ID$|VITEST)/;

/** Makes an environment without the tester's own ERRAND settings. */
export const cleanEnvironment = (extra: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(env).filter(([name]) => !OURS.test(name))),
  ...extra,
});

/** Lets programs that run from source keep their compiled code, which saves two thirds of the CPU time of a start. */
export const COMPILED = { NODE_COMPILE_CACHE: join(import.meta.dirname, '../../node_modules/.cache/errand-tests') };

/** Makes the environment of a program that runs from source. A program that is killed must flush its cache before. */
export const sourceEnvironment = (extra: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv =>
  cleanEnvironment({ ...COMPILED, ...extra });

export interface Folder extends AsyncDisposable {
  readonly path: string;
}

export async function temporaryFolder(): Promise<Folder> {
  const path = await mkdtemp(join(tmpdir(), 'errand-test-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** The data location of a program under test. */
export interface Place {
  readonly data: string;
  /** The Postgres URL; without it, the SQLite file in `data` is used. */
  readonly database_url?: string | undefined;
}

export const placeFlags = ({ data, database_url }: Place): readonly string[] => [
  '--data',
  data,
  ...(database_url === undefined ? [] : ['--database-url', database_url]),
];

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `errand …` to its end. */
export async function errand(args: readonly string[], extra: Readonly<Record<string, string>> = {}): Promise<Finished> {
  const child = spawn(execPath, [ERRAND, ...args], { env: cleanEnvironment(extra), stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr };
}

export async function errandJson(args: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
  const { code, stdout, stderr } = await errand([...args, '--json']);
  if (code !== 0) throw new Error(`errand ${args.join(' ')} ended with ${code}: ${stderr}${stdout}`);
  return JSON.parse(stdout) as Record<string, unknown>;
}

export interface Server extends AsyncDisposable {
  readonly origin: string;
  readonly pid: number;
  /** The link of the first admin, if there is one. */
  readonly first_admin: string | undefined;
  /** Every line that the server has written, without the line that announces it. */
  readonly lines: readonly string[];
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>;
}

interface Announced {
  readonly mcp: string;
  readonly pid: number;
  readonly first_admin?: string;
}

const FREE_PORT = ['--port', '0'];

/** `errand serve`, on a free port unless other flags are given. */
export async function serve(
  place: Place,
  extra: Readonly<Record<string, string>> = {},
  flags: readonly string[] = FREE_PORT,
): Promise<Server> {
  const child = spawn(execPath, [ERRAND, 'serve', ...flags, ...placeFlags(place)], {
    env: cleanEnvironment(extra),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  const errors = text(child.stderr);
  const lines: string[] = [];
  const announced = Promise.withResolvers<Announced>();
  let isAnnounced = false;
  createInterface({ input: child.stdout }).on('line', (line) => {
    // The announcement is the first line, before the log.
    if (isAnnounced) return void lines.push(line);
    isAnnounced = true;
    announced.resolve(JSON.parse(line) as Announced);
  });
  void ended.then(async ([code]) => announced.reject(new Error(`errand serve ended with ${code}: ${await errors}`)));
  const { mcp, pid, first_admin } = await announced.promise;

  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await ended;
    return child.exitCode;
  };
  return {
    origin: new URL(mcp).origin,
    pid,
    first_admin,
    lines,
    stop,
    [Symbol.asyncDispose]: async () => void (await stop()),
  };
}

async function text(stream: NonNullable<ChildProcess['stdout']>): Promise<string> {
  let all = '';
  for await (const chunk of stream.setEncoding('utf8')) all += chunk;
  return all;
}
