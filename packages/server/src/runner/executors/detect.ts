import { execFile } from 'node:child_process';
import { open, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { OfferedExecutor } from '#domain/worker';
import { findProgram } from '#runner/process/find-program';
import { ProcessError } from '#runner/process/process-error';
import { runEnvironment } from '#runner/process/run-environment';
import type { Credentials, KnownAgent } from './known/known-agent.ts';

const PATIENCE_MS = 5_000;

type Environment = Readonly<Record<string, string | undefined>>;

interface ProgramOutput {
  readonly code: number | null;
  readonly text: string;
}

/** Runs a program that answers at once. The code is null when it was not started, or did not answer in time. */
function ask(program: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<ProgramOutput> {
  const options = { env, cwd: '/', timeout: PATIENCE_MS, killSignal: 'SIGKILL', maxBuffer: 65_536 } as const;
  return new Promise((resolve) => {
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : child.exitCode, text: `${stdout}\n${stderr}` });
    });
    child.stdin?.end();
  });
}

/** Returns the file of a program, or why there is none. */
export function lookForProgram(
  name: string,
  path: string | undefined,
): { readonly file: string; readonly problem: null } | { readonly file: null; readonly problem: string } {
  try {
    return { file: findProgram(name, '/', path), problem: null };
  } catch (error) {
    if (error instanceof ProcessError) return { file: null, problem: error.message.replace(/\.$/, '') };
    throw error;
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

/** The major version of the Node that a script would find; null when there is none. */
async function nodeMajor(env: Readonly<Record<string, string>>): Promise<number | null> {
  const { file: node } = lookForProgram('node', env.PATH);
  const version = node === null ? null : (await ask(node, ['--version'], env)).text.match(/v(\d+)\./)?.[1];
  return version == null ? null : Number(version);
}

const Manifest = z.object({ name: z.string(), engines: z.object({ node: z.string() }).optional() });

/** The oldest major version of Node that the installed package declares in `engines`; null when it declares none. */
async function declaredNode(program: string, package_name: string): Promise<number | null> {
  const file = await realpath(program);
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => null);
    const manifest = text === null ? null : Manifest.safeParse(parseJson(text));
    if (!manifest?.success || manifest.data.name !== package_name) continue;
    const majors = [...(manifest.data.engines?.node ?? '').matchAll(/(?:^|[|\s>=^~v])(\d+)/g)].map(([, major]) =>
      Number(major),
    );
    return majors.length === 0 ? null : Math.min(...majors);
  }
  return null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function nodeProblem(program: string, package_name: string, env: Readonly<Record<string, string>>) {
  if (!(await isNodeScript(program).catch(() => false))) return null;
  const needed = await declaredNode(program, package_name).catch(() => null);
  const found = await nodeMajor(env);
  if (found === null) return 'needs Node, found none on the PATH';
  return needed === null || found >= needed ? null : `needs Node ${needed} or later, found ${found}`;
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
  // A program that does not answer may still be logged in: the run will show.
  return status !== undefined && (await ask(program, status, env)).code !== 1;
}

/** The versions that programs have printed. Some take seconds of a processor to print it, and workers ask again and again. */
export type KnownVersions = Map<string, ProgramOutput>;

async function askVersion(
  program: string,
  env: Readonly<Record<string, string>>,
  known: KnownVersions,
): Promise<ProgramOutput> {
  const { mtimeMs, ino, size } = await stat(program);
  const key = [program, mtimeMs, ino, size].join(' ');
  const output = known.get(key) ?? (await ask(program, ['--version'], env));
  // A failed program may succeed the next time.
  if (output.code === 0) known.set(key, output);
  return output;
}

interface Inspected {
  readonly version: string | null;
  readonly problem: string | null;
}

async function inspect(agent: KnownAgent, own: Environment, known: KnownVersions): Promise<Inspected> {
  const env = { ...runEnvironment({ ...own }, agent.passes), ...agent.env, ...agent.env_to_ask };
  const { file: program, problem } = lookForProgram(agent.argv[0], env.PATH);
  if (program === null) {
    const isThere = problem.includes('not executable');
    return { version: null, problem: isThere ? problem : `not installed: npm install -g ${agent.package_name}` };
  }
  const tooOld = await nodeProblem(program, agent.package_name, env);
  if (tooOld !== null) return { version: null, problem: tooOld };

  const { credentials } = agent;
  const [output, hasLogin] = await Promise.all([
    askVersion(program, env, known),
    credentials === null ? true : isLoggedIn(program, credentials, env),
  ]);
  const version = output.text.match(/\d+\.\d+(?:[\w.+-]*\w)?/)?.[0] ?? null;
  if (output.code !== 0 && output.code !== null)
    return { version, problem: `does not start: ${agent.argv[0]} --version fails` };
  return { version, problem: hasLogin ? null : `not logged in: ${agent.login}` };
}

/** Looks for a known agent on this machine, and for reasons why it cannot run. Never starts its model. */
export async function detect(agent: KnownAgent, own: Environment, known: KnownVersions): Promise<OfferedExecutor> {
  const { name, title, kind, variants } = agent;
  const { version, problem } = await inspect(agent, own, known);
  return { executor: name, title, kind, variants: Object.keys(variants), version, is_ready: problem === null, problem };
}

/** What is known about an agent without asking it, which takes seconds. */
export function assume(agent: KnownAgent, env: Environment): OfferedExecutor {
  const { name, title, kind, variants } = agent;
  const { problem } = lookForProgram(agent.argv[0], { ...env, ...agent.env }.PATH);
  return {
    executor: name,
    title,
    kind,
    variants: Object.keys(variants),
    version: null,
    is_ready: problem === null,
    problem,
  };
}
