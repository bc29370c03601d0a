import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string | undefined;
}

export interface Verdict {
  readonly scenario: string;
  readonly outcome: 'passed' | 'skipped' | 'not offered' | 'failed';
  /** Why the scenario is not offered, or what failed. */
  readonly reason: string;
  readonly passed: number;
}

/** Failures which only mean that the server lacks a tool, a method or a fixture of the suite. */
const MISSING: readonly (readonly [RegExp, (match: RegExpExecArray) => string])[] = [
  [/Unknown tool: (\w+)/, ([, tool = '']) => `the tool \`${tool}\` of the suite`],
  [/Tool '(\w+)' not found/, ([, tool = '']) => `the tool \`${tool}\` of the suite`],
  [/diagnostic tool '(\w+)'/, ([, tool = '']) => `the tool \`${tool}\` of the suite`],
  [/for (\w+) returned error code -32602/, ([, tool = '']) => `the tool \`${tool}\` of the suite`],
  [/Method not found: ([\w/]+)/, ([, method = '']) => `the method \`${method}\``],
  [/no tool with (x-mcp-header)/, () => 'a tool that mirrors arguments into headers'],
  [/^Not testable: no task was created/, () => 'a tool of the suite that runs as a task'],
  [/fixture from Check \d+ unavailable/, () => 'a tool of the suite that runs as a task'],
  [/(?:could not get initial|Expected) InputRequiredResult/, () => 'a tool of the suite that asks for input'],
];

function missingIn(message: string): string | null {
  for (const [pattern, name] of MISSING) {
    const match = pattern.exec(message);
    if (match !== null) return name(match);
  }
  return null;
}

/** Returns the verdict on a scenario. It has failed unless every failure is about something that is not offered. */
export function verdictOf(scenario: string, checks: readonly Check[]): Verdict {
  const passed = checks.filter(({ status }) => status === 'SUCCESS').length;
  const failures = checks.filter(({ status }) => status === 'FAILURE');
  if (failures.length === 0) return { scenario, outcome: passed > 0 ? 'passed' : 'skipped', reason: '', passed };
  const reasons = failures.map(({ errorMessage = '' }) => missingIn(errorMessage));
  const other = failures.filter((_, i) => reasons[i] === null);
  if (other.length === 0) {
    return { scenario, outcome: 'not offered', reason: [...new Set(reasons)].sort().join(', '), passed };
  }
  const what = other.map(({ id, errorMessage = '' }) => `${id}: ${errorMessage}`).join('; ');
  return { scenario, outcome: 'failed', reason: what, passed };
}

/** The names of folders: `server-SCENARIO-TIME`. */
const FOLDER = /^server-(.+?)-\d{4}-\d\d-\d\dT[\d-]+Z$/;

/** Reads the runner's results from a folder, in the order of the scenarios' names. */
export async function readVerdicts(folder: string): Promise<readonly Verdict[]> {
  const found = (await readdir(folder)).flatMap((name) => {
    const [, scenario] = FOLDER.exec(name) ?? [];
    return scenario === undefined ? [] : [{ name, scenario }];
  });
  const verdicts = found.map(async ({ name, scenario }) =>
    verdictOf(scenario, JSON.parse(await readFile(join(folder, name, 'checks.json'), 'utf8')) as readonly Check[]),
  );
  return (await Promise.all(verdicts)).toSorted((a, b) => a.scenario.localeCompare(b.scenario, 'en'));
}

const rowOf = ({ scenario, outcome, reason, passed }: Verdict): string => {
  const result =
    outcome === 'not offered' ? `not offered: ${reason}` : outcome === 'failed' ? `failed: ${reason}` : outcome;
  return `| \`${scenario}\` | ${result} | ${passed} |`;
};

/** Writes the page that lists every scenario of each revision. */
export const conformancePage = (sets: readonly (readonly [revision: string, verdicts: readonly Verdict[]])[]): string =>
  [
    '# Conformance',
    '',
    'Written by `npm run conformance`, which runs the two frozen sets of the official suite twice: against a fixture that has every tool, resource and prompt of the suite (`examples/conformance-server`, made of the same parts; all of it passes), and against `errand serve` itself, through a proxy that adds a token. This page is the second run.',
    '',
    'Errand offers its own tools and nothing else: a scenario that calls a tool of the suite, or asks for resources, prompts, completions or log messages, says so here. A scenario that fails for any other reason fails the command.',
    ...sets.flatMap(([revision, verdicts]) => [
      '',
      `## ${revision}`,
      '',
      '| scenario | result | checks passed |',
      '| --- | --- | --- |',
      ...verdicts.map(rowOf),
    ]),
    '',
  ].join('\n');
