import { expect, it } from 'vitest';
import type { Block } from '../api/task.ts';
import { withCriterion, withoutCriterion, withText } from './blocks.ts';

const CHECKER: Block = { id: 'c1', type: 'checker', items: [{ id: 'i2', text: 'One', checked: true }] };

it('adds a criterion to its checklist, with an id that nothing has', () => {
  const [checker] = withCriterion([CHECKER, { id: 'i3', type: 'text', text: 'x' }], 'c1', 'Two');

  expect(checker).toEqual({
    ...CHECKER,
    items: [
      { id: 'i2', text: 'One', checked: true },
      { id: 'i4', text: 'Two', checked: false },
    ],
  });
});

it('makes a checklist for the first criterion', () => {
  expect(withCriterion([], null, 'One')).toEqual([
    {
      id: expect.any(String),
      type: 'checker',
      title: 'Acceptance criteria',
      items: [{ id: 'i1', text: 'One', checked: false }],
    },
  ]);
});

it('removes a checklist with its last criterion', () => {
  expect(withoutCriterion([CHECKER], 'i2')).toEqual([]);
});

it('adds a text with its heading, or without one', () => {
  expect(withText([], 'Plan', 'First this')).toMatchObject([{ type: 'text', title: 'Plan', text: 'First this' }]);
  expect(withText([], '', 'First this')[0]).not.toHaveProperty('title');
});
