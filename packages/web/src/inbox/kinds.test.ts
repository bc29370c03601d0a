import { describe, expect, it } from 'vitest';
import { answerBy, answersTo, lineOf, offered } from './kinds.ts';

const option = (name: string, kind: 'allow_once' | 'allow_always' | 'reject_once') => ({ option: name, name, kind });

describe('answersTo', () => {
  it('gives a permission the keys a and d, and numbers to its other options', () => {
    const options = [option('once', 'allow_once'), option('always', 'allow_always'), option('no', 'reject_once')];

    expect(answersTo({ kind: 'permission', options }).map(({ key, option: id }) => [key, id])).toEqual([
      ['a', 'once'],
      ['2', 'always'],
      ['d', 'no'],
    ]);
  });

  it('never chooses between the options of a question by the key a', () => {
    const row = { kind: 'question', options: [option('red', 'allow_once'), option('blue', 'allow_once')] } as const;

    expect(answerBy({ ...row, options: [...row.options] }, 'a')).toBeUndefined();
    expect(answersTo({ ...row, options: [...row.options] }).map(({ key }) => key)).toEqual(['1', '2', 'd']);
  });

  it('approves and denies a permission without options', () => {
    expect(answersTo({ kind: 'permission', options: [] }).map(({ decision }) => decision)).toEqual(['approve', 'deny']);
  });

  it('has nothing for what is no question', () => {
    expect(answersTo({ kind: 'failed', options: [] })).toEqual([]);
  });
});

it('says since when a stalled run is silent', () => {
  const since = '2026-11-16T12:00:00Z';

  expect(lineOf({ kind: 'stalled', text: null, since }, Date.parse(since) + 12 * 60_000)).toBe(
    'No sign of life for 12 min.',
  );
});

it('offers the kinds that there are, and the chosen one', () => {
  const counts = { question: 0, permission: 1, review: 0, failed: 0, stalled: 2, job: 0 };

  expect(offered(counts, 'review')).toEqual(['permission', 'review', 'stalled']);
});
