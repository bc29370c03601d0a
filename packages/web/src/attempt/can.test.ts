import { expect, it } from 'vitest';
import type { Attempt } from '../api/attempts.ts';
import { numberOf, refusalsOf } from './can.ts';

const facts = (state: Attempt['state'], status: NonNullable<Attempt['run']>['status'], files = 1) => ({
  state,
  run: { status } as Attempt['run'],
  changes: { files, insertions: 1, deletions: 0 },
  repos: [{}] as Attempt['repos'],
});

it('lets a running attempt only be stopped', () => {
  expect(refusalsOf(facts('running', 'running'))).toEqual({
    stop: null,
    retry: 'The run has not ended',
    verify: 'The run has not ended',
    ship: 'The run has not ended',
  });
});

it('lets a finished attempt be tried again, verified and merged', () => {
  expect(refusalsOf(facts('review', 'completed'))).toEqual({
    stop: 'Nothing runs',
    retry: null,
    verify: null,
    ship: null,
  });
});

it('says why a merged or empty attempt cannot be merged', () => {
  expect(refusalsOf(facts('merged', 'completed')).ship).toBe('The attempt is merged');
  expect(refusalsOf(facts('archived', 'completed')).retry).toBe('Another attempt was chosen');
  expect(refusalsOf(facts('review', 'completed', 0)).ship).toBe('The attempt changes nothing');
});

it('reads the number of an attempt from its key', () => {
  expect(numberOf('WEB-12.2')).toBe('2');
});
