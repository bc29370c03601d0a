import { expect, it } from 'vitest';
import type { Block } from '../api/task.ts';
import { withCriterion, withoutBlock, withoutCriterion, withText, withWords } from './blocks.ts';

const CHECKER: Block = { id: 'c1', type: 'checker', items: [{ id: 'i2', text: 'One', checked: true }] };
const TEXT: Block = { id: 't1', type: 'text', text: 'x' };

it('adds a criterion to its checklist', () => {
  const [checker] = withCriterion('c1', 'Two')([CHECKER, TEXT]);

  expect(checker).toMatchObject({ items: [{ id: 'i2' }, { text: 'Two', checked: false }] });
});

it('gives the criterion the same id on the page and on the server', () => {
  const add = withCriterion(null, 'One');

  expect(add([])).toEqual(add([]));
  expect(add([])).not.toEqual(withCriterion(null, 'One')([]));
});

it('makes a checklist for the first criterion, and puts the next one into it', () => {
  const first = withCriterion(null, 'One')([]);

  expect(first).toMatchObject([{ type: 'checker', title: 'Acceptance criteria', items: [{ text: 'One' }] }]);
  expect(withCriterion(null, 'Two')(first)).toMatchObject([{ items: [{ text: 'One' }, { text: 'Two' }] }]);
});

it('adds to the first checklist when its own was removed meanwhile', () => {
  expect(withCriterion('gone', 'Two')([TEXT, CHECKER])).toMatchObject([TEXT, { items: [{}, { text: 'Two' }] }]);
});

it('removes a checklist with its last criterion', () => {
  expect(withoutCriterion('i2')([CHECKER, TEXT])).toEqual([TEXT]);
});

it('adds a text with its heading, or without one', () => {
  expect(withText('Plan', 'First this')([])).toMatchObject([{ type: 'text', title: 'Plan', text: 'First this' }]);
  expect(withText('', 'First this')([])[0]).not.toHaveProperty('title');
});

it('changes and removes a text, and leaves the others as they are', () => {
  expect(withWords('t1', 'y')([CHECKER, TEXT])).toEqual([CHECKER, { ...TEXT, text: 'y' }]);
  expect(withoutBlock('t1')([CHECKER, TEXT])).toEqual([CHECKER]);
});
