import { expect, it } from 'vitest';
import { answersOf } from './answers.ts';

const option = (name: string, kind: 'allow_once' | 'allow_always' | 'reject_once') => ({ option: name, name, kind });

it('gives the first yes the key A, the first no D, and others their number', () => {
  const options = [option('Once', 'allow_once'), option('Always', 'allow_always'), option('No', 'reject_once')];

  const answers = answersOf({ kind: 'permission', options });

  expect(answers.map(({ name, keys, isMain }) => [name, keys, isMain])).toEqual([
    ['Once', 'a', true],
    ['Always', '2', false],
    ['No', 'd', false],
  ]);
});

it('asks for a decision where a permission has no options, and for words where a question has none', () => {
  expect(answersOf({ kind: 'permission', options: [] }).map(({ body }) => body)).toEqual([
    { decision: 'approve' },
    { decision: 'deny' },
  ]);
  expect(answersOf({ kind: 'question', options: [] })).toEqual([]);
});
