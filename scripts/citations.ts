import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { REQUIREMENTS } from '../test/requirements.ts';

const ROOT = dirname(import.meta.dirname);

/** The part of Vitest's JSON report that is read here. */
export interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[];
  }[];
}

/** The ids at the start of the titles of tests that passed: `[FR-001, R8] …`. A skipped test proves nothing. */
export function citedByPassed(reports: readonly Report[]): ReadonlySet<string> {
  const tests = reports.flatMap(({ testResults }) => testResults.flatMap((file) => file.assertionResults));
  const passed = tests.filter(({ status }) => status === 'passed');
  return new Set(passed.flatMap(({ title }) => /^\[([^\]]+)\] /.exec(title)?.[1]?.split(', ') ?? []));
}

/** The numbers of the rules in the specifications of the libraries. */
function rulesOf(file: string): readonly string[] {
  return [...readFileSync(file, 'utf8').matchAll(/^- \*\*([\w.]+)\*\* /gm)].map(([, rule = '']) => rule);
}

/** Requirements and rules that no test of these reports has proved. */
export function unproved(reports: readonly Report[]): readonly string[] {
  const cited = citedByPassed(reports);
  const rules = globSync('packages/*/SPEC.md', { cwd: ROOT }).flatMap((file) => rulesOf(join(ROOT, file)));
  return [...REQUIREMENTS.map(({ id }) => id), ...rules].filter((id) => !cited.has(id));
}

if (import.meta.main) {
  // The files are Vitest's own.
  const reports = process.argv.slice(2).map((file) => JSON.parse(readFileSync(file, 'utf8')) as Report);
  const ids = unproved(reports);
  if (ids.length > 0) {
    process.stderr.write(`No test that ran and passed cites ${ids.join(', ')}.\n`);
    process.exitCode = 1;
  }
}
