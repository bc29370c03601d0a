import { expect, it } from 'vitest';
import { aBoard, aCard, aColumn } from '../testing/a-board.ts';
import type { Board, Card } from './board.ts';
import { withCards } from './changed-cards.ts';

const open = (key: string, sort_order: number, facts: Partial<Card> = {}): Card => aCard(key, { sort_order, ...facts });
const done = (key: string, completed_at: string): Card => aCard(key, { completed_at });
const idOf = (board: Board, key: string): string =>
  board.columns.flatMap(({ cards }) => cards).find((card) => card.key === key)?.task_id ?? '';
const shown = (board: Board | null) =>
  board?.columns.map(({ count, cards }) => [count, ...cards.map(({ key }) => key)]);

const BOARD = aBoard(
  aColumn('todo', [open('A-1', 10), open('A-2', 20), open('A-3', 30)]),
  aColumn('done', [done('A-9', '2026-01-09T00:00:00Z'), done('A-8', '2026-01-08T00:00:00Z')], 'completed'),
);

/** What the server says: these cards, and these counts. */
const said = (counts: readonly [number, number], todo: readonly Card[], ended: readonly Card[] = []): Board => ({
  ...aBoard(aColumn('todo', todo), aColumn('done', ended)),
  columns: [
    { ...aColumn('todo', todo), count: counts[0] },
    { ...aColumn('done', ended), count: counts[1] },
  ],
});

it('keeps a changed card at its place, and the other columns as they are', () => {
  const next = withCards(BOARD, said([3, 2], [open('A-2', 20, { title: 'New' })]), [idOf(BOARD, 'A-2')]);

  expect(shown(next)?.[0]).toEqual([3, 'A-1', 'A-2', 'A-3']);
  expect(next?.columns[0]?.cards[1]?.title).toBe('New');
  expect(next?.columns[1]).toBe(BOARD.columns[1]);
});

it('moves a card by its order, to another column, and before all when it needs a person', () => {
  const question = { approval_id: 'q' } as Card['question'];
  const id = [idOf(BOARD, 'A-3')];

  expect(shown(withCards(BOARD, said([3, 2], [open('A-3', 15)]), id))?.[0]).toEqual([3, 'A-1', 'A-3', 'A-2']);
  expect(shown(withCards(BOARD, said([3, 2], [open('A-3', 30, { question })]), id))?.[0]).toEqual([
    3,
    'A-3',
    'A-1',
    'A-2',
  ]);
  expect(shown(withCards(BOARD, said([2, 3], [], [done('A-3', '2026-01-08T12:00:00Z')]), id))).toEqual([
    [2, 'A-1', 'A-2'],
    [3, 'A-9', 'A-3', 'A-8'],
  ]);
});

it('adds a new card and takes one away that is gone', () => {
  expect(shown(withCards(BOARD, said([4, 2], [open('A-4', 40)]), ['new']))?.[0]).toEqual([
    4,
    'A-1',
    'A-2',
    'A-3',
    'A-4',
  ]);
  expect(shown(withCards(BOARD, said([2, 2], []), [idOf(BOARD, 'A-1')]))?.[0]).toEqual([2, 'A-2', 'A-3']);
});

it('updates tasks that the changed one blocked', () => {
  const next = withCards(BOARD, said([3, 2], [open('A-1', 10), open('A-2', 20, { blocked_by: [] })]), [
    idOf(BOARD, 'A-1'),
  ]);

  expect(shown(next)?.[0]).toEqual([3, 'A-1', 'A-2', 'A-3']);
});

it('counts a card that stands behind what was read, and does not show it', () => {
  const [todo, ended] = BOARD.columns;
  if (todo === undefined || ended === undefined) throw new Error('no columns');
  const end = { at: 30, id: idOf(BOARD, 'A-3') };
  const cut: Board = { ...BOARD, columns: [{ ...todo, count: 9, next_cursor: 'more', end }, ended] };

  expect(shown(withCards(cut, said([10, 2], [open('A-7', 70)]), ['new']))?.[0]).toEqual([10, 'A-1', 'A-2', 'A-3']);
  expect(shown(withCards(cut, said([10, 2], [open('A-6', 25)]), ['new']))?.[0]).toEqual([
    10,
    'A-1',
    'A-2',
    'A-6',
    'A-3',
  ]);
});

it('asks for the whole board when the columns are others', () => {
  expect(withCards(BOARD, aBoard(aColumn('todo', [])), [])).toBeNull();
});
