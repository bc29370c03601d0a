import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execPath, kill } from 'node:process';
import { text } from 'node:stream/consumers';
import { cleanEnvironment } from '../../e2e/program.ts';
import type { Mutant } from './predicates.ts';

const ROOT = join(import.meta.dirname, '../../..');
const COPIED = ['packages/server', 'scripts', 'test', 'package.json', 'vitest.config.ts'];
const LEFT_OUT = /(?:^|\/)(?:node_modules|dist)$/;

const MAX_RUN_MS = 240_000;

const CONFIG = `
import { defineConfig } from 'vitest/config';
const SOURCE = { conditions: ['errand-source', 'node', 'development|production'] };
export default defineConfig({ resolve: SOURCE, ssr: { resolve: SOURCE }, test: { testTimeout: 20_000 } });
`;

/** First the rules of a store, in memory; then all related tests, with PostgreSQL. */
export const STAGES: readonly (readonly string[])[] = [
  ['--config', 'quick.config.mjs', 'packages/server/src/store/memory'],
  ['--config', 'quick.config.mjs', 'packages/server/src/store/sql/sqlite'],
  ['--project', 'unit', ...['store', 'gateway', 'services', 'tools'].map((folder) => `packages/server/src/${folder}`)],
];

/** Makes a copy of the product in which sources can be changed. */
export async function copyProduct(folder: string): Promise<void> {
  for (const path of COPIED) {
    const filter = (source: string) => !LEFT_OUT.test(source);
    await cp(join(ROOT, path), join(folder, path), { recursive: true, filter });
  }
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const own = join(ROOT, 'packages/server/node_modules');
  await symlink(own, join(folder, 'packages/server/node_modules')).catch(() => {});
  await mkdir(join(folder, 'docs'), { recursive: true });
  await writeFile(join(folder, 'quick.config.mjs'), CONFIG);
}

/** A mutant with invalid SQL fails every test, so it proves nothing. */
const BROKEN = /syntax error|near ".*": |unable to use function|could not determine data type/;

export type Verdict = 'noticed' | 'survived' | 'broken';

/** Runs these tests. Returns whether they detect the mutant. */
async function judge(folder: string, args: readonly string[]): Promise<Verdict> {
  const vitest = join(folder, 'node_modules/vitest/vitest.mjs');
  const child = spawn(execPath, [vitest, 'run', '--bail', '1', '--reporter', 'default', ...args], {
    cwd: folder,
    env: cleanEnvironment({ NO_COLOR: '1' }),
    stdio: ['ignore', 'pipe', 'pipe'],
    // Its own process group: the processes that run the tests must end with it.
    detached: true,
  });
  // An endless recursion counts as detected.
  const timer = setTimeout(() => child.pid !== undefined && kill(-child.pid, 'SIGKILL'), MAX_RUN_MS);
  const [out, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  clearTimeout(timer);
  if (code === 0) return 'survived';
  return BROKEN.test(out + errors) ? 'broken' : 'noticed';
}

/** Runs the tests stage by stage until one detects the mutant. */
export async function tryOut(folder: string, stages = STAGES): Promise<Verdict> {
  for (const stage of stages) {
    const verdict = await judge(folder, stage);
    if (verdict !== 'survived') return verdict;
  }
  return 'survived';
}

/** Tries each mutant in the copy. Returns the verdicts. */
export async function tryMutants(folder: string, mutants: readonly Mutant[]): Promise<ReadonlyMap<string, Verdict>> {
  const verdicts = new Map<string, Verdict>();
  for (const { name, file, source } of mutants) {
    const path = join(folder, file);
    const original = await readFile(path, 'utf8');
    await writeFile(path, source);
    verdicts.set(name, await tryOut(folder));
    await writeFile(path, original);
  }
  return verdicts;
}
