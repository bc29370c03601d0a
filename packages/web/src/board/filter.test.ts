import { expect, it } from 'vitest';
import { aBoard, aCard, aColumn } from '../testing/a-board.ts';
import { choicesOf, filtered, filterIn, isFiltering, waitingFor, withoutFloating } from './filter.ts';

const RED = { id: 'l1', name: 'red', color: null };

it('reads from an address what is a filter, and leaves out the rest', () => {
  const search = { q: 'log', agent: '', label: 3, priority: 'high', mine: true, you: 'yes', task: 'SHO-1' };

  expect(filterIn(search)).toEqual({ q: 'log', priority: 'high', mine: true });
  expect(isFiltering(filterIn({ task: 'SHO-1' }))).toBe(false);
});

it.each([
  [{ q: 'fix LOGIN' }, ['SHO-1']],
  [{ q: 'sho-2' }, ['SHO-2']],
  [{ label: 'l1' }, ['SHO-2']],
  [{ priority: 'high' }, ['SHO-1']],
  [{ mine: true }, ['SHO-2']],
  [{ priority: 'high', mine: true }, []],
] as const)('shows with %j only what matches, and counts that', (filter, keys) => {
  const board = aBoard(
    aColumn('todo', [
      aCard('SHO-1', { title: 'Fix the login', priority: 'high' }),
      aCard('SHO-2', { title: 'Write docs', labels: [RED], people: [{ id: 'u1', name: 'Ada' }] }),
    ]),
  );

  const [column] = filtered(board, filter, 'u1').columns;

  expect(column?.cards.map(({ key }) => key)).toEqual(keys);
  expect(column?.count).toBe(keys.length);
});

it('offers each label of the board once, by name', () => {
  const blue = { id: 'l2', name: 'blue', color: null };
  const board = aBoard(aColumn('todo', [aCard('A', { labels: [RED] }), aCard('B', { labels: [RED, blue] })]));

  expect(choicesOf(board).labels.map(({ name }) => name)).toEqual(['blue', 'red']);
});

it('puts cards that need a person back where people left them, and does not move others', () => {
  const question = { approval_id: 'q', kind: 'question' as const, text: '?', details: null, options: [], since: '' };
  const waits = aCard('SHO-3', { sort_order: 3, question });
  const cards = [waits, aCard('SHO-1', { sort_order: 1 }), aCard('SHO-4', { sort_order: 4 })];
  const todo = aColumn('todo', [aCard('SHO-9')]);

  const { columns } = withoutFloating(aBoard(todo, aColumn('inprogress', cards)));

  expect(columns[1]?.cards.map(({ key }) => key)).toEqual(['SHO-1', 'SHO-3', 'SHO-4']);
  expect(columns[0]).toBe(todo);
});

it('counts as waiting what the inbox has, and shows only that on demand', () => {
  const cards = [aCard('SHO-1', { needs: 'review' }), aCard('SHO-2', { needs: 'question' }), aCard('SHO-3')];
  const board = aBoard(aColumn('inreview', cards, 'started'));

  expect(waitingFor(board)).toBe(2);
  expect(filtered(board, { you: true }, null).columns[0]?.cards.map(({ key }) => key)).toEqual(['SHO-1', 'SHO-2']);
});
