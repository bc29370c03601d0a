import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { startVitest } from 'vitest/node';

const SERVERS = ['test/postgres.ts', 'test/redis.ts'];
const WHOLE_COUNTS = globSync(['test/e2e/**/*.test.ts', 'packages/*/src/**/*.test.ts']).filter((file) =>
  readFileSync(file, 'utf8').includes("/counts.ts';"),
);

const say = (text: string): void => void process.stderr.write(`${text}\n`);

const has = (program: string): boolean => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;

/** Returns true when strace is installed or could be installed. */
function provideStrace(): boolean {
  if (has('strace')) return true;
  if (process.getuid?.() !== 0 || !has('apt-get')) return false;
  say('Installing strace…');
  spawnSync('apt-get', ['install', '--yes', '--no-install-recommends', 'strace'], { stdio: 'inherit' });
  return has('strace');
}

if (provideStrace()) {
  // One seed for all files of a run.
  process.env.ERRAND_SEED ??= String(Date.now() % 1_000_000);
  // Tests of `npm test` that repeat actions run here with their full counts.
  process.env.ERRAND_TEST_LONG = '1';
  const include = ['test/long/**/*.proof.ts', ...WHOLE_COUNTS];
  // One file at a time: otherwise they would disturb each other's measurements.
  const options = { run: true, config: false as const, include, fileParallelism: false };
  const timeouts = { testTimeout: 240_000, hookTimeout: 240_000 };
  const surroundings = {
    ...timeouts,
    globalSetup: SERVERS,
    setupFiles: ['test/patience.ts'],
    expect: { poll: { timeout: 20_000 } },
  };
  // Test the sources of this repository's packages, not their builds.
  const resolve = { conditions: ['errand-source', 'node', 'development|production'] };
  const source = { resolve, ssr: { resolve } };
  const vitest = await startVitest(
    process.argv.slice(2),
    { ...options, ...surroundings, reporters: ['verbose'] },
    source,
  );
  await vitest.close();
} else {
  say('These proofs need Linux and strace. Install it (apt-get install strace), or run this as root on Debian.');
  process.exitCode = 1;
}
