import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import config from '../vitest.config.ts';
import { SCENARIOS } from './e2e/todo-scenarios.ts';
import { REQUIREMENTS } from './requirements.ts';

const ROOT = join(import.meta.dirname, '..');
const ID = /(?:US\d+-\d+|EDGE-\d+|FR-\d+|SC-\d+)/.source;
/** `[FR-001, SC-002] …` at the start of a title. */
const CITATION = new RegExp(`['"\`]\\[(${ID}(?:, ${ID})*)\\] `, 'g');

const citedInTitles = (source: string): readonly string[] =>
  [...source.matchAll(CITATION)].flatMap(([, ids = '']) => ids.split(', '));

const tests = globSync(['packages/*/src/**/*.test.ts', 'test/**/*.test.ts'], { cwd: ROOT });
const cited = new Set<string>([
  ...SCENARIOS.flatMap(({ cites }) => cites),
  ...tests.flatMap((file) => citedInTitles(readFileSync(join(ROOT, file), 'utf8'))),
]);

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

  it('[SC-006] fail the run when unit tests leave more than a tenth of tools and gateway out', () => {
    expect(config.test?.coverage).toMatchObject({
      include: expect.arrayContaining([expect.stringContaining('src/tools'), expect.stringContaining('src/gateway')]),
      thresholds: { lines: 90 },
    });
  });
});
