import { expect, it } from 'vitest';
import { attemptSearch } from './attempt-search.ts';

it('keeps what an address of an attempt says', () => {
  const said = { tab: 'changes', step: 5, run: 'r1', kind: 'edits', file: 'a.ts', split: true };

  expect(attemptSearch(said)).toEqual(said);
});

it('leaves out what it does not know', () => {
  expect(attemptSearch({ tab: 'x', step: -1, run: 7, kind: 'all', file: '', split: 'yes', other: 1 })).toEqual({});
});
