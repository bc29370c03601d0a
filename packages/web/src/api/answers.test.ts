import { describe, expect, it } from 'vitest';
import { answerBy, answersTo, cardAnswers } from './answers.ts';

const option = (name: string, kind: 'allow_once' | 'allow_always' | 'reject_once') => ({ option: name, name, kind });

describe('answersTo', () => {
  it('gives a permission the keys a and d, and numbers to its other options', () => {
    const options = [option('once', 'allow_once'), option('always', 'allow_always'), option('no', 'reject_once')];

    expect(answersTo({ kind: 'permission', options }).map(({ key, body }) => [key, body.option])).toEqual([
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
    expect(answersTo({ kind: 'permission', options: [] }).map(({ body }) => body.decision)).toEqual([
      'approve',
      'deny',
    ]);
  });

  it('has nothing for what is no question', () => {
    expect(answersTo({ kind: 'failed', options: [] })).toEqual([]);
  });
});

it('shows on a card yes and no of a permission, and the first two options of a question', () => {
  const options = [option('red', 'allow_once'), option('blue', 'allow_once'), option('green', 'allow_once')];

  expect(cardAnswers({ kind: 'permission', options: [] }).map(({ key }) => key)).toEqual(['a', 'd']);
  expect(cardAnswers({ kind: 'question', options }).map(({ name }) => name)).toEqual(['red', 'blue']);
  expect(cardAnswers({ kind: 'question', options: [] })).toEqual([]);
});
