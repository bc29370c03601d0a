import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import config from '../vitest.config.ts';
import { SCENARIOS as BOARD } from './e2e/board/scenarios.ts';
import { SCENARIOS as EXECUTIONS } from './e2e/executions/scenarios.ts';
import { SCENARIOS as TODO } from './e2e/todo-scenarios.ts';
import { REQUIREMENTS } from './requirements.ts';

const ROOT = join(import.meta.dirname, '..');
const ID =
  /(?:R\d+\.\d+|US\d+-\d+|(?:EDGE|FR|SC|CL|TYPE|STOR|HNDL|INTG|SEC|WKFL|TEST|EXMP|NOTF|ADVS|SPEC|TSK)-\d+|B-[A-Z]+-S?\d+|L-[A-Z]+)/
    .source;
const RULE = /[TVOSRCABW]\d+/.source;
/** `[FR-001, SC-002] …` at the start of a title. */
const CITATION = new RegExp(`['"\`]\\[((?:${ID}|${RULE})(?:, (?:${ID}|${RULE}))*)\\] `, 'g');

const citedInTitles = (source: string): readonly string[] =>
  [...source.matchAll(CITATION)].flatMap(([, ids = '']) => ids.split(', '));

const SCENARIOS = [...TODO, ...EXECUTIONS, ...BOARD];

const isRule = (id: string): boolean => new RegExp(`^${RULE}$`).test(id);

// The checks of a store, with their titles, are published with the library.
const tests = globSync(['{packages/*/src,test,examples,scripts}/**/*.test.ts', 'packages/tasks/src/testing/**/*.ts'], {
  cwd: ROOT,
});
const citations = tests.flatMap((file) => citedInTitles(readFileSync(join(ROOT, file), 'utf8')));
const cited = new Set<string>([...SCENARIOS.flatMap(({ cites }) => cites), ...citations.filter((id) => !isRule(id))]);

describe('requirements', () => {
  it('are each cited by a scenario or a test', () => {
    const uncited = REQUIREMENTS.filter(({ id }) => !cited.has(id)).map(({ id }) => id);

    expect(uncited).toEqual([]);
  });

  it('are the only ones that tests cite', () => {
    const known = new Set<string>(REQUIREMENTS.map(({ id }) => id));

    expect([...cited].filter((id) => !known.has(id))).toEqual([]);
  });

  it('have one id each', () => {
    expect(new Set(REQUIREMENTS.map(({ id }) => id)).size).toBe(REQUIREMENTS.length);
    expect(new Set(SCENARIOS.map(({ title }) => title)).size).toBe(SCENARIOS.length);
  });

  it('[SC-006] fail the run when tests cover less than 90 % of the lines of the tools, counted for the tools alone', () => {
    const tools = 'packages/server/src/tools/**/*.ts';

    expect(config.test?.coverage).toMatchObject({
      include: expect.arrayContaining([tools]),
      thresholds: { [tools]: { lines: 90, functions: 90 } },
    });
    // Without the flag no coverage is counted, and no threshold can fail the run.
    expect(readFileSync(join(ROOT, 'scripts/test.ts'), 'utf8')).toContain("'--coverage'");
  });
});

describe('the rules of tasks', () => {
  const rules = [...readFileSync(join(ROOT, 'packages/tasks/SPEC.md'), 'utf8').matchAll(/^- \*\*(\w+)\*\* /gm)].map(
    ([, rule = '']) => rule,
  );
  const citedRules = new Set(citations.filter(isRule));

  it('are each cited by a test', () => {
    expect(rules.filter((rule) => !citedRules.has(rule))).toEqual([]);
  });

  it('are the only ones that tests cite', () => {
    expect([...citedRules].filter((rule) => !rules.includes(rule))).toEqual([]);
  });

  it('have one number each', () => {
    expect(rules.length).toBeGreaterThan(50);
    expect(new Set(rules).size).toBe(rules.length);
  });
});
