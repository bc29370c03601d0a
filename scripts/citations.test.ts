import { describe, expect, it } from 'vitest';
import { REQUIREMENTS } from '../test/requirements.ts';
import { type Report, unproved } from './citations.ts';

const aReport = (tests: readonly (readonly [title: string, status: string])[]): Report => ({
  testResults: [{ assertionResults: tests.map(([title, status]) => ({ title, status })) }],
});

const OTHERS = REQUIREMENTS.filter(({ id }) => id !== 'FR-001').map(({ id }) => [`[${id}] holds`, 'passed'] as const);

// Not written inside a title: `test/requirements.test.ts` reads the titles of this file too.
const UNKNOWN = 'FR-999';

describe('a requirement', () => {
  it('is proved by a test that cites it and passed, in any of the reports', () => {
    const found = unproved([aReport(OTHERS), aReport([[`[${UNKNOWN}, FR-001] holds`, 'passed']])]);

    expect(found.filter((id) => REQUIREMENTS.some((known) => known.id === id))).toEqual([]);
  });

  it.each(['skipped', 'pending', 'todo', 'failed'])('is not proved by a test that is %s', (status) => {
    const found = unproved([aReport([...OTHERS, ['[FR-001] holds', status]])]);

    expect(found).toContain('FR-001');
  });

  it('is not proved by a title that names it elsewhere', () => {
    expect(unproved([aReport([['holds as [FR-001] says', 'passed']])])).toContain('FR-001');
  });
});

it('a rule of a library is proved in the same way', () => {
  expect(unproved([aReport([['[R8] holds', 'passed']])])).not.toContain('R8');
  expect(unproved([aReport([['[R8] holds', 'skipped']])])).toContain('R8');
});
