import { expect, it } from 'vitest';
import type { Attempt } from '../api/attempts.ts';
import { branchOf, numberOf, openComments, refusalsOf } from './can.ts';

const facts = (state: Attempt['state'], status: NonNullable<Attempt['run']>['status'], files = 1) => ({
  state,
  run: { status } as Attempt['run'],
  changes: { files, insertions: 1, deletions: 0, commits: 0 },
  repos: [{}] as Attempt['repos'],
});

const ALL = ['board:run', 'board:merge'];

it('allows only to stop a running attempt', () => {
  expect(refusalsOf(facts('running', 'running'), ALL)).toEqual({
    followUp: null,
    stop: null,
    retry: 'The run has not ended',
    verify: 'The run has not ended',
    ship: 'The run has not ended',
  });
});

it('lets a finished attempt be tried again, verified and merged', () => {
  expect(refusalsOf(facts('review', 'completed'), ALL)).toEqual({
    followUp: null,
    stop: 'Nothing runs',
    retry: null,
    verify: null,
    ship: null,
  });
});

it('says why a merged or empty attempt cannot be merged', () => {
  expect(refusalsOf(facts('merged', 'completed'), ALL).ship).toBe('The attempt is merged');
  expect(refusalsOf(facts('archived', 'completed'), ALL).retry).toBe('Another attempt was chosen');
  expect(refusalsOf(facts('review', 'completed', 0), ALL).ship).toBe('Nothing to merge: the attempt changes nothing');
});

it('names the right that the reader lacks', () => {
  const no = refusalsOf(facts('review', 'completed'), ['board:run']);

  expect([no.followUp, no.ship]).toEqual([null, 'You lack the right board:merge in this project']);
  expect(refusalsOf(facts('running', 'running'), []).stop).toBe('You lack the right board:run in this project');
});

it('reads the number of an attempt from its key', () => {
  expect(numberOf('WEB-12.2')).toBe('2');
});

it('counts the review comments that nobody has resolved', () => {
  const comments = (['draft', 'sent', 'resolved'] as const).map((status) => ({ status })) as Attempt['comments'];

  expect(openComments({ comments })).toBe(2);
  expect(openComments({})).toBe(0);
});

it('knows no branch of an attempt that has no commit of its own, once a run of it has ended', () => {
  const branch = (base_commit: string | null, head_commit: string | null) =>
    branchOf({ workspace_branch: 'errand/x', repos: [{ base_commit, head_commit }] as Attempt['repos'] });

  expect(branch('a', 'a')).toBeNull();
  expect([branch(null, null), branch('a', null), branch('a', 'b')]).toEqual(['errand/x', 'errand/x', 'errand/x']);
});
