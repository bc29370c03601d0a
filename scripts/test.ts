import { type ChildProcess, spawn } from 'node:child_process';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { makeMemoryFolder } from './memory-folder.ts';

const ROOT = dirname(import.meta.dirname);
const BIOME = 'node_modules/@biomejs/biome/bin/biome';
const TYPESCRIPT = 'node_modules/typescript/bin/tsc';
const VITEST = 'node_modules/vitest/vitest.mjs';
/** For the compiler, which ends before its garbage is worth collecting. */
const NO_COLLECTION = { GOGC: 'off', GOMEMLIMIT: '2GiB' };
const BUILD = ['scripts/build.ts', '--if-stale'];
const QUICK = ['--project', 'unit', '--project', 'runner'];
/** The tests that count for the required coverage. */
const COVERING = ['gateway', 'services', 'tools'].map((folder) => `packages/server/src/${folder}/`);

/** Tests of `npm run test:web`. */
const LONG = '.long.test.ts';

const say = (text: string): void => void process.stderr.write(text);

/** A child must end first: it removes what it has started and written. */
function passSignalsTo(child: ChildProcess): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => child.kill(signal));
}

/** Runs a script with this Node. Resolves when it has succeeded. */
function run(title: string, args: readonly string[]): Promise<void> {
  say(`\n— ${title}\n`);
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
    passSignalsTo(child);
    child.on('error', reject);
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${title} failed.`))));
  });
}

/** Runs a script in parallel with others. Its output is shown in one piece at its end. */
function runBeside(title: string, args: readonly string[], settings: Record<string, string> = {}): Promise<void> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, ...settings };
    const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
    passSignalsTo(child);
    const output: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      say(`\n— ${title}\n${Buffer.concat(output)}`);
      if (code === 0) resolve();
      else reject(new Error(`${title} failed.`));
    });
  });
}

/** Waits for all works, and fails with the messages of the failed ones. */
async function every(works: readonly Promise<void>[]): Promise<void> {
  const ended = await Promise.allSettled(works);
  const failures = ended.flatMap((end) => (end.status === 'rejected' ? [end.reason as Error] : []));
  if (failures.length > 0) throw new Error(failures.map(({ message }) => message).join('\n'));
}

const staticChecks = (): readonly Promise<void>[] => [
  runBeside('build', BUILD),
  runBeside('types', [TYPESCRIPT, '-p', '.', '--checkers', '1'], NO_COLLECTION),
  runBeside('types of the web board', [TYPESCRIPT, '-p', 'packages/web', '--checkers', '1'], NO_COLLECTION),
  runBeside('format and lint', [BIOME, 'ci', '.']),
  runBeside('generated files', ['scripts/generate.ts', '--check']),
];

/** The arguments of Node that run tests. */
const tests = (...args: readonly string[]): readonly string[] => [VITEST, 'run', ...args];

/** Runs the other tests separately: under coverage, processes that tests start must not use cached compiled code. */
async function runAllTests(): Promise<void> {
  const files = globSync('{packages/*/src,examples,scripts,test}/**/*.test.ts', { cwd: ROOT });
  const others = files.filter((file) => !COVERING.some((folder) => file.startsWith(folder)) && !file.endsWith(LONG));
  const folder = mkdtempSync(join(tmpdir(), 'errand-reports-'));
  const reports = ['covering', 'others'].map((name) => join(folder, `${name}.json`));
  const reporting = reports.map((file) => ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]);
  try {
    await every([
      // One process evaluates the product once. Beside the others it uses what they leave of the cores while they wait.
      runBeside(
        'tests with coverage',
        tests('--project', 'unit', '--coverage', '--maxWorkers=1', ...COVERING, ...(reporting[0] ?? [])),
      ),
      run('all other tests', tests(...others, ...(reporting[1] ?? []))),
    ]);
    await run('requirements', ['scripts/citations.ts', ...reports]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function inMemory(work: () => Promise<void>): Promise<void> {
  // A folder that the caller chose is used as it is.
  const memory = process.env.TMPDIR ? null : makeMemoryFolder();
  if (memory !== null) process.env.TMPDIR = memory;
  try {
    await work();
  } finally {
    if (memory !== null) rmSync(memory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}

async function main(): Promise<void> {
  const args = process.argv.slice(2);
  // Errand refuses group-writable configuration, and tests write configuration.
  process.umask(0o022);
  if (args.length > 0 && args[0] !== '--quick') {
    // With file names: run only those files, without the other checks.
    await run('build', BUILD);
    return inMemory(() => run('tests', tests(...args)));
  }
  if (args[0] === '--quick') {
    await every(staticChecks());
    return inMemory(() => run('tests', tests(...QUICK)));
  }
  // Meanwhile, because an installation leaves the cores idle.
  await every([...staticChecks(), runBeside('servers of tests', ['scripts/install-servers.ts'])]);
  await inMemory(runAllTests);
}

try {
  await main();
} catch (error) {
  say(`\n${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
