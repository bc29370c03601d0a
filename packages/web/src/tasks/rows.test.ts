import { expect, it } from 'vitest';
import type { Card, Column } from '../api/board.ts';
import { aCard } from '../testing/a-board.ts';
import { csvOf } from './csv.ts';
import { itemsOf, rowsOf, sorted } from './rows.ts';
import { sortedBy, tableViewIn } from './view.ts';

function rowsIn(cards: Readonly<Record<string, readonly Card[]>>) {
  const columns = Object.entries(cards).map(
    ([name, own]): Column => ({ status: name, name, group: 'started', count: own.length, cards: [...own] }),
  );
  return rowsOf({ columns });
}

const keysOf = (rows: ReturnType<typeof rowsIn>) => rows.map(({ card }) => card.key);

it('sorts keys by their number, and priorities from urgent to none', () => {
  const rows = rowsIn({
    todo: [aCard('A-10'), aCard('A-9', { priority: 'low' }), aCard('A-2', { priority: 'urgent' })],
  });

  expect(keysOf(sorted(rows, 'key', false))).toEqual(['A-2', 'A-9', 'A-10']);
  expect(keysOf(sorted(rows, 'priority', false))).toEqual(['A-2', 'A-9', 'A-10']);
  expect(keysOf(sorted(rows, 'priority', true))).toEqual(['A-10', 'A-9', 'A-2']);
});

it('puts rows without a value last, whichever way they are sorted', () => {
  const rows = rowsIn({
    todo: [aCard('A-1'), aCard('A-2', { target_date: '2026-02-01' }), aCard('A-3', { target_date: '2026-03-01' })],
  });

  expect(keysOf(sorted(rows, 'due', false))).toEqual(['A-2', 'A-3', 'A-1']);
  expect(keysOf(sorted(rows, 'due', true))).toEqual(['A-3', 'A-2', 'A-1']);
});

it('groups by state in the order of the board, and shows a task under each of its labels', () => {
  const [red, blue] = [
    { id: 'r', name: 'red' },
    { id: 'b', name: 'blue' },
  ];
  const rows = rowsIn({ todo: [aCard('A-1', { labels: [red, blue] })], done: [aCard('A-2')] });
  const grouped = (by: 'state' | 'label') =>
    itemsOf(rows, by).map((item) => (item.kind === 'head' ? `${item.name} ${item.count}` : item.row.card.key));

  expect(grouped('state')).toEqual(['todo 1', 'A-1', 'done 1', 'A-2']);
  expect(grouped('label')).toEqual(['blue 1', 'A-1', 'red 1', 'A-1', 'No label 1', 'A-2']);
  expect(new Set(itemsOf(rows, 'label').map(({ id }) => id)).size).toBe(6);
});

it('writes a file in which no title breaks a line, a field or runs as a formula', () => {
  const [, first, second] = csvOf(
    rowsIn({ todo: [aCard('A-1', { title: 'Say "hi",\nthen go' }), aCard('A-2', { title: '=HYPERLINK("x")' })] }),
  ).split('\r\n');

  expect(first).toMatch(/^A-1,"Say ""hi"",\nthen go",todo,none,/);
  expect(second).toMatch(/^A-2,"'=HYPERLINK\(""x""\)",todo,/);
});

it('keeps sort, group and filter in the address, and nothing else', () => {
  expect(tableViewIn({ q: 'paint', sort: 'due', down: true, group: 'label', other: 'x' })).toEqual({
    q: 'paint',
    sort: 'due',
    down: true,
    group: 'label',
  });
  expect(tableViewIn({ sort: 'nothing', down: true, group: 'nobody' })).toEqual({});
});

it('sorts up, then down, then as the board has it', () => {
  const up = sortedBy({ q: 'a' }, 'due');
  const down = sortedBy(up, 'due');

  expect([up, down, sortedBy(down, 'due')]).toEqual([
    { q: 'a', sort: 'due' },
    { q: 'a', sort: 'due', down: true },
    { q: 'a' },
  ]);
  expect(sortedBy(down, 'key')).toEqual({ q: 'a', sort: 'key' });
});
