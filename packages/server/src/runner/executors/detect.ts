import { execFile } from 'node:child_process';
import { open, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { OfferedExecutor } from '#domain/worker';
import { findProgram } from '#runner/process/find-program';
import { runEnvironment } from '#runner/process/run-environment';
import type { Credentials, KnownAgent } from './known/known-agent.ts';

const PATIENCE_MS = 5_000;

type Environment = Readonly<Record<string, string | undefined>>;

interface Said {
  readonly code: number | null;
  readonly text: string;
}

/** Asks a program something that it answers at once. A code of null: it was not started, or did not answer in time. */
function ask(program: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<Said> {
  const options = { env, cwd: '/', timeout: PATIENCE_MS, killSignal: 'SIGKILL', maxBuffer: 65_536 } as const;
  return new Promise((resolve) => {
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : child.exitCode, text: `${stdout}\n${stderr}` });
    });
    child.stdin?.end();
  });
}

export function programPath(name: string, path: string | undefined): string | null {
  try {
    return findProgram(name, '/', path);
  } catch {
    return null;
  }
}

async function isNodeScript(program: string): Promise<boolean> {
  const file = await open(program);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(128), 0, 128, 0);
    return /^#!.*\bnode\b/.test(buffer.toString('latin1', 0, bytesRead));
  } finally {
    await file.close();
  }
}

/** The Node that a script would find; null when there is none. */
async function nodeMajor(env: Readonly<Record<string, string>>): Promise<number | null> {
  const node = programPath('node', env.PATH);
  const version = node === null ? null : (await ask(node, ['--version'], env)).text.match(/v(\d+)\./)?.[1];
  return version == null ? null : Number(version);
}

async function nodeProblem(program: string, min_node: number, env: Readonly<Record<string, string>>) {
  if (!(await isNodeScript(program).catch(() => false))) return null;
  const found = await nodeMajor(env);
  return found !== null && found >= min_node ? null : `needs Node ${min_node} or later, found ${found ?? 'none'}`;
}

async function isLoggedIn(
  program: string,
  { variables, files, status }: Credentials,
  env: Readonly<Record<string, string>>,
) {
  if (variables.some((name) => (env[name] ?? '') !== '')) return true;
  for (const { path, holds } of files) {
    const text = await readFile(join(env.HOME ?? '/', path), 'utf8').catch(() => null);
    if (text !== null && (holds === undefined || holds.test(text))) return true;
  }
  // One that does not answer may well be logged in: the run will tell.
  return status !== undefined && (await ask(program, status, env)).code !== 1;
}

/** What programs said of their version. Some take seconds of a core to say it, and whoever offers them looks again all the time. */
export type KnownVersions = Map<string, Said>;

async function askVersion(program: string, env: Readonly<Record<string, string>>, known: KnownVersions): Promise<Said> {
  const { mtimeMs, ino, size } = await stat(program);
  const key = [program, mtimeMs, ino, size].join(' ');
  const said = known.get(key) ?? (await ask(program, ['--version'], env));
  // One that failed may do better on the next look.
  if (said.code === 0) known.set(key, said);
  return said;
}

interface Inspected {
  readonly version: string | null;
  readonly problem: string | null;
}

async function inspect(agent: KnownAgent, own: Environment, known: KnownVersions): Promise<Inspected> {
  const env = { ...runEnvironment({ ...own }, agent.passes), ...agent.env_to_ask };
  const program = programPath(agent.argv[0], env.PATH);
  if (program === null) return { version: null, problem: `not installed: npm install -g ${agent.package_name}` };
  const tooOld = await nodeProblem(program, agent.min_node, env);
  if (tooOld !== null) return { version: null, problem: tooOld };

  const { credentials } = agent;
  const [said, hasLogin] = await Promise.all([
    askVersion(program, env, known),
    credentials === null ? true : isLoggedIn(program, credentials, env),
  ]);
  const version = said.text.match(/\d+\.\d+[\w.+-]*/)?.[0] ?? null;
  if (said.code !== 0 && said.code !== null)
    return { version, problem: `does not start: ${agent.argv[0]} --version fails` };
  return { version, problem: hasLogin ? null : `not logged in: ${agent.login}` };
}

/** Looks for a known agent on this machine, and for what keeps it from running. Never starts its model. */
export async function detect(agent: KnownAgent, own: Environment, known: KnownVersions): Promise<OfferedExecutor> {
  const { name, title, kind, variants } = agent;
  const { version, problem } = await inspect(agent, own, known);
  return { executor: name, title, kind, variants: Object.keys(variants), version, is_ready: problem === null, problem };
}
