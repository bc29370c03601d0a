import { expect, it } from 'vitest';
import { aCard } from '../testing/a-board.ts';
import { dropIndex } from './drop-place.ts';

const CARDS = ['A-1', 'A-2', 'A-3', 'A-4'].map((key) => aCard(key));

it('finds the place of a dropped card by the cards above and below, also when others are not drawn', () => {
  const dragged = { task_id: 'B-1' };

  expect(dropIndex({ before: 'A-2', after: 'A-3' }, CARDS, dragged)).toBe(2);
  expect(dropIndex({ before: 'A-4', after: undefined }, CARDS, dragged)).toBe(4);
  expect(dropIndex({ before: undefined, after: 'A-1' }, CARDS, dragged)).toBe(0);
  expect(dropIndex({ before: undefined, after: undefined }, [], dragged)).toBe(0);
});

it('counts the others only when a card is dropped in its own column', () => {
  expect(dropIndex({ before: 'A-3', after: 'A-4' }, CARDS, { task_id: 'A-1' })).toBe(2);
});
