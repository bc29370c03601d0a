import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startProduct } from './conformance/product.ts';
import { conformancePage, readVerdicts, type Verdict } from './conformance/verdicts.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const RUNNER = join(ROOT, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const FIXTURE = join(ROOT, 'examples/conformance-server/src/main.ts');

const PAGE = join(ROOT, 'docs/reference/conformance.md');

/** The frozen sets that a server of each revision must pass. */
export const REQUIREMENTS = ['2025-11-25', '2026-07-28'] as const;

export interface ConformanceResult {
  readonly passed: number;
  readonly failed: number;
  readonly output: string;
}

/** Runs the official runner's frozen sets at once, each against a fixture server of its own: most of it is waiting. */
export async function runConformance(): Promise<ConformanceResult> {
  const results = await mkdtemp(join(tmpdir(), 'errand-conformance-'));
  try {
    const runs = await Promise.all(REQUIREMENTS.map((revision) => runOnFixture(revision, join(results, revision))));
    return {
      passed: runs.reduce((sum, { passed }) => sum + passed, 0),
      failed: runs.reduce((sum, { failed }) => sum + failed, 0),
      output: runs.map(({ output }) => output).join('\n'),
    };
  } finally {
    await rm(results, { recursive: true, force: true });
  }
}

async function runOnFixture(revision: string, results: string): Promise<ConformanceResult> {
  const fixture = await startFixture();
  try {
    return await runSet(fixture.url, revision, results);
  } finally {
    await fixture.stop();
  }
}

async function startFixture(): Promise<{ url: string; stop: () => Promise<void> }> {
  const child = spawn(process.execPath, ['--conditions=errand-source', FIXTURE], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async () => {
    child.kill();
    await ended;
  };
  for await (const url of createInterface({ input: child.stdout })) return { url, stop };
  throw new Error('The conformance server did not start.');
}

async function runSet(url: string, revision: string, results: string): Promise<ConformanceResult> {
  const args = [RUNNER, 'server', '--url', url, '--requirements', revision, '-o', results];
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const code = await new Promise((resolve) => child.once('close', resolve));

  const { passed, failed } = countChecks(output);
  const refused = code !== 0 || passed === 0;
  return { passed, failed: refused ? Math.max(1, failed) : failed, output };
}

const SCENARIO = /^[✓✗] (\S+): (\d+) passed, (\d+) failed$/gm;
const EXTENSION = /^ {2}[✓✗] (\S+) \(extension\)$/gm;

/** The extensions that we implement. The runner does not score them, but they count here. */
const OURS = /^tasks-/;

/** Counts the checks of every scenario of the protocol itself and of our extensions. */
export function countChecks(output: string): { passed: number; failed: number } {
  const extensions = [...output.matchAll(EXTENSION)].map(([, scenario = '']) => scenario);
  const others = new Set(extensions.filter((scenario) => !OURS.test(scenario)));
  const scenarios = [...output.matchAll(SCENARIO)].filter(([, scenario = '']) => !others.has(scenario));
  return {
    passed: scenarios.reduce((sum, [, , passed]) => sum + Number(passed), 0),
    failed: scenarios.reduce((sum, [, , , failed]) => sum + Number(failed), 0),
  };
}

/** Runs the same sets against `errand serve`. Scenarios for parts that it does not offer cannot pass. */
export async function runOnProduct(): Promise<readonly (readonly [string, readonly Verdict[]])[]> {
  const results = await mkdtemp(join(tmpdir(), 'errand-conformance-'));
  const product = await startProduct();
  try {
    const sets: [string, readonly Verdict[]][] = [];
    for (const revision of REQUIREMENTS) {
      const folder = join(results, revision);
      await runSet(product.url, revision, folder);
      sets.push([revision, await readVerdicts(folder)]);
    }
    return sets;
  } finally {
    await product.stop();
    await rm(results, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const { passed, failed, output } = await runConformance();
  if (failed > 0) process.stdout.write(`${output}\n`);
  process.stdout.write(`The fixture: ${passed} checks passed, ${failed} failed.\n`);

  const sets = await runOnProduct();
  await writeFile(PAGE, conformancePage(sets));
  const verdicts = sets.flatMap(([, found]) => found);
  const count = (outcome: Verdict['outcome']) => verdicts.filter((verdict) => verdict.outcome === outcome).length;
  for (const { scenario, outcome, reason } of verdicts) {
    if (outcome === 'failed') process.stdout.write(`✗ ${scenario}: ${reason}\n`);
  }
  const parts = (['passed', 'not offered', 'skipped', 'failed'] as const).map(
    (outcome) => `${count(outcome)} ${outcome}`,
  );
  process.stdout.write(`errand serve: ${parts.join(', ')} of ${verdicts.length} scenarios.\n`);
  process.exitCode = failed === 0 && count('failed') === 0 && count('passed') > 0 ? 0 : 1;
}
