import { expect, it } from 'vitest';
import { attemptSearch, firstTab } from './attempt-search.ts';

it('keeps what an address of an attempt says', () => {
  const said = { tab: 'changes', step: 5, run: 'r1', kind: 'edits', file: 'a.ts', split: true };

  expect(attemptSearch(said)).toEqual(said);
});

it('keeps the timeline when an address asks for it', () => {
  expect(attemptSearch({ tab: 'timeline' })).toEqual({ tab: 'timeline' });
});

it.each([
  [
    'the timeline of an agent that reports steps',
    { steps: [{}], feed: [{ kind: 'message' }], hasEnded: true },
    'timeline',
  ],
  [
    'the feed of an agent that speaks without steps',
    { steps: [], feed: [{ kind: 'message' }], hasEnded: false },
    'feed',
  ],
  ['the feed of a run that ended without steps', { steps: [], feed: [{ kind: 'status' }], hasEnded: true }, 'feed'],
  ['neither for a run without reports', { steps: [], feed: [{ kind: 'status' }], hasEnded: false }, null],
  ['neither before the steps are read', { steps: undefined, feed: [{ kind: 'message' }], hasEnded: true }, null],
  ['neither before the feed is read', { steps: [], feed: undefined, hasEnded: true }, null],
])('opens %s', (_, known, tab) => {
  expect(firstTab(known)).toBe(tab);
});

it('leaves out what it does not know', () => {
  expect(attemptSearch({ tab: 'x', step: -1, run: 7, kind: 'all', file: '', split: 'yes', other: 1 })).toEqual({});
});
