import { expect, it } from 'vitest';
import { aBoard, aCard, aColumn } from '../testing/a-board.ts';
import { placeBetween, withMoved } from './board.ts';

const BOARD = aBoard(aColumn('todo', [aCard('A-1'), aCard('A-2')]), aColumn('done', [aCard('A-3')]));
const shown = (board: typeof BOARD) => board.columns.map(({ count, cards }) => [count, ...cards.map(({ key }) => key)]);

it('moves a card to its place in another column, and counts it there', () => {
  expect(shown(withMoved(BOARD, { task_id: 'A-1', to: 'done', at: 0 }))).toEqual([
    [1, 'A-2'],
    [2, 'A-1', 'A-3'],
  ]);
});

it('moves a card inside its column without counting it twice', () => {
  expect(shown(withMoved(BOARD, { task_id: 'A-1', to: 'todo', at: 1 }))[0]).toEqual([2, 'A-2', 'A-1']);
});

it('leaves the board as it is for a card that is not on it', () => {
  expect(withMoved(BOARD, { task_id: 'A-9', to: 'done', at: 0 })).toBe(BOARD);
});

it('finds a place before, between and after others, and any in an empty column', () => {
  const [low, high] = [aCard('A', { sort_order: 10 }), aCard('B', { sort_order: 20 })];

  expect(placeBetween(undefined, low, 0)).toBeLessThan(10);
  expect(placeBetween(low, high, 0)).toBe(15);
  expect(placeBetween(high, undefined, 0)).toBeGreaterThan(20);
  expect(placeBetween(undefined, undefined, 7)).toBe(7);
});
