import { join } from 'node:path';
import { env } from 'node:process';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../e2e/program.ts';
import { EQUIVALENT } from './mutations/equivalent.ts';
import { copyProduct, tryMutants, tryOut } from './mutations/mutation-run.ts';
import { findMutants } from './mutations/predicates.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Only conditions whose names contain this text; all unless given. */
const ONLY = env.ERRAND_MUTANTS ?? '';
const ALL = findMutants(ROOT);
const MUTANTS = ALL.filter(({ name }) => name.includes(ONLY));

const names = (verdicts: ReadonlyMap<string, string>, wanted: string): readonly string[] =>
  [...verdicts].filter(([, verdict]) => verdict === wanted).map(([name]) => name);

describe('the conditions in the queries of the store', () => {
  it('are all found', () => {
    expect(ALL.length).toBeGreaterThan(100);
    expect(Object.keys(EQUIVALENT).filter((name) => !ALL.some((mutant) => mutant.name === name))).toEqual([]);
  });

  it(
    `are each missed by a test when they are gone: ${MUTANTS.length}`,
    async () => {
      await using folder = await temporaryFolder();
      await copyProduct(folder.path);
      expect(await tryOut(folder.path)).toBe('survived');

      const verdicts = await tryMutants(folder.path, MUTANTS);

      expect(names(verdicts, 'broken')).toEqual([]);
      expect(names(verdicts, 'survived').filter((name) => !(name in EQUIVALENT))).toEqual([]);
      // A mutant that a test now detects is no longer equivalent.
      expect(names(verdicts, 'noticed').filter((name) => name in EQUIVALENT)).toEqual([]);
    },
    120_000 + MUTANTS.length * 120_000,
  );
});
