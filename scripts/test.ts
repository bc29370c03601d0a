import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { startPostgres } from './postgres.ts';

const ROOT = dirname(import.meta.dirname);
const BIOME = 'node_modules/@biomejs/biome/bin/biome';
const TYPESCRIPT = 'node_modules/typescript/bin/tsc';
const VITEST = 'node_modules/vitest/vitest.mjs';

/** Runs a script on this Node; resolves when it ended well. */
function run(title: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<void> {
  process.stderr.write(`\n— ${title}\n`);
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...env } });
    child.on('error', reject);
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${title} failed.`))));
  });
}

async function runStaticChecks(): Promise<void> {
  await run('format and lint', [BIOME, 'ci', '.']);
  await run('types', [TYPESCRIPT, '-p', '.']);
  await run('generated files', ['scripts/generate.ts', '--check']);
}

async function runTests(args: readonly string[]): Promise<void> {
  await run('build', ['scripts/build.ts', '--if-stale']);
  const { ERRAND_TEST_POSTGRES_URL: given } = process.env;
  const postgres = given ? null : await startPostgres();
  try {
    await run('tests', [VITEST, 'run', ...args], { ERRAND_TEST_POSTGRES_URL: given || (postgres?.url ?? '') });
  } finally {
    await postgres?.stop();
  }
}

async function main(): Promise<void> {
  const args = process.argv.slice(2);
  // Configuration that a group may write is refused, and tests write some.
  process.umask(0o022);
  // Named files: only those, without the checks of everything else.
  if (args.length > 0 && args[0] !== '--quick') return runTests(args);
  await runStaticChecks();
  await runTests(args[0] === '--quick' ? ['--project', 'unit'] : ['--coverage']);
}

try {
  await main();
} catch (error) {
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
